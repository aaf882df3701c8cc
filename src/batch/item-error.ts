/** One of GitHub's errors as it concerns an item. Whatever else GitHub says in it is there too, but for `locations`. */
export interface GraphqlItemErrorEntry {
  readonly message: string;
  /** GitHub's word for the kind, such as `NOT_FOUND`. */
  readonly type?: string;
  /** Where in the item's value: `["pullRequest", "reviews"]`; empty when it is of the whole. */
  readonly path?: readonly (string | number)[];
  readonly [key: string]: unknown;
}

/**
 * GitHub has no value for an item of a batch, and says why.
 *
 * @example
 * ```ts
 * if (result.error instanceof GraphqlItemError && result.error.type === "NOT_FOUND") console.log(result.item, "is gone");
 * ```
 */
export class GraphqlItemError extends Error {
  override readonly name = "GraphqlItemError";
  /** GitHub's errors. */
  readonly errors: readonly GraphqlItemErrorEntry[];
  /** The kind of the first error that has one. */
  readonly type: string | undefined;

  constructor(errors: readonly GraphqlItemErrorEntry[]) {
    super([...new Set(errors.map(({ message }) => message))].join("; "));
    this.errors = errors;
    this.type = errors.find(({ type }) => type !== undefined)?.type;
  }
}

/** GitHub's error with the path that it has within the item; without one if `path` is undefined. */
export function itemErrorEntry(error: GraphqlErrorInAnswer, path: Path | undefined): GraphqlItemErrorEntry {
  const { locations: _ofTheWholeQuery, path: _inTheWholeAnswer, message, type, ...rest } = error;
  return {
    ...rest,
    ...(typeof type === "string" ? { type } : {}),
    ...(path === undefined ? {} : { path }),
    message: typeof message === "string" ? message : "GitHub gives no reason.",
  };
}

/** A path as GraphQL writes it. */
export type Path = readonly (string | number)[];

/** An error of an answer; nothing about it is sure. */
export type GraphqlErrorInAnswer = Readonly<Record<string, unknown>>;

/** Those of the list that are errors at all. */
export function errorsIn(list: unknown): readonly GraphqlErrorInAnswer[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === "object" && one !== null) : [];
}

/** The path of an error, if it has one. */
export function pathOf({ path }: GraphqlErrorInAnswer): Path | undefined {
  return Array.isArray(path) && path.length > 0 ? (path as Path) : undefined;
}
