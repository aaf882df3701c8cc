/** What a query will cost, by GitHub's published rule, from its text and variables alone. */
export interface QueryEstimate {
  /** Units of primary quota: a hundredth of the requests, rounded, at least 1. */
  readonly units: number;
  /** Requests needed to fulfil each unique connection at its full size. */
  readonly requests: number;
  /** Nodes that may be returned. */
  readonly nodes: number;
  /** Why GitHub would turn it down, in its own words for the kind; undefined when it would not. */
  readonly rejected: QueryRejection | undefined;
}

/** Why GitHub turns a query down unseen. */
export interface QueryRejection {
  readonly type: "MAX_NODE_LIMIT_EXCEEDED" | "EXCESSIVE_PAGINATION" | "MISSING_PAGINATION_BOUNDARIES";
  /** For a person to read, with the numbers. */
  readonly why: string;
}
