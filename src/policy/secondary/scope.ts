import type { SecondaryLimits } from "./limits.js";
import type { LimitParts } from "./parts.js";

/** What of GitHub's secondary limits is this process's own. */
export interface SecondaryScope {
  /** The limits of all processes that share the principal together. */
  readonly limits: SecondaryLimits;
  /** This process's part of the points and of the response time. */
  readonly parts: LimitParts;
  /** Whether others have the rest: then a request counts for as long as such requests take on the whole. */
  readonly divided: boolean;
  /** Requests that this process may have under way at once: whole, at least 1. */
  readonly concurrent: number;
  /** Whether content writes are counted here; `false` where a pool counts them for all processes together. */
  readonly content: boolean;
  /** How far every limit is tightened (0–1) after refusals that none explains; see `factorAt`. 1 is not at all. */
  readonly factor: number;
}

/** What a call means to the secondary limits. */
export interface SecondaryCall {
  readonly api: "rest" | "graphql";
  /** Host, method and route template; shown to people. GraphQL is one endpoint, whatever is said here. */
  readonly endpoint: string;
  readonly points: number;
  readonly createsContent: boolean;
}
