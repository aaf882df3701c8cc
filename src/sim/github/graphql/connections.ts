/** The arguments of a connection. */
export interface ConnectionArgs {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

/** One page of a connection, with whatever its edges carry besides. */
export interface Connection<N> {
  readonly totalCount: number;
  readonly nodes: readonly N[];
  readonly edges: readonly (Readonly<Record<string, unknown>> & { readonly cursor: string; readonly node: N })[];
  readonly pageInfo: PageInfo;
}

export interface PageInfo {
  readonly startCursor: string | null;
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/**
 * Cuts a page out of `items`.
 *
 * @see https://docs.github.com/graphql/guides/using-pagination-in-the-graphql-api
 */
export function connect<T, N>(
  items: readonly T[],
  args: ConnectionArgs,
  wrap: (item: T) => N,
  extra?: (item: T) => Readonly<Record<string, unknown>>,
): Connection<N> {
  const after = positionOf(args.after);
  const before = positionOf(args.before);
  let start = after === undefined ? 0 : after + 1;
  let end = before === undefined ? items.length : Math.min(before, items.length);
  if (typeof args.first === "number") end = Math.min(end, start + args.first);
  else if (typeof args.last === "number") start = Math.max(start, end - args.last);
  const page = items.slice(start, Math.max(start, end));
  const nodes = page.map(wrap);
  return {
    totalCount: items.length,
    nodes,
    edges: page.map((item, index) => ({ cursor: cursorOf(start + index), node: nodes[index] as N, ...extra?.(item) })),
    pageInfo: {
      startCursor: page.length === 0 ? null : cursorOf(start),
      endCursor: page.length === 0 ? null : cursorOf(start + page.length - 1),
      hasNextPage: start + page.length < items.length,
      hasPreviousPage: start > 0 && items.length > 0,
    },
  };
}

function cursorOf(position: number): string {
  return Buffer.from(`cursor:v2:${position}`).toString("base64");
}

function positionOf(cursor: string | null | undefined): number | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const position = Number(Buffer.from(cursor, "base64").toString("utf8").split(":")[2]);
  return Number.isInteger(position) ? position : undefined;
}
