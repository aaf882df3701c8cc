import { collectSizes } from "./collect-sizes.js";
import type { QueryEstimate, QueryRejection } from "./estimate.js";
import type { SizeField, SizeSet } from "./size-plan.js";
import type { SizeValue } from "./size-values.js";

/** GitHub returns no more nodes than this in one query. */
const MAX_NODES = 500_000;
/** And no more than this from one connection. The guides say "between 1 and 100"; 0 is answered, with no items. */
const MAX_PAGE = 100;
/** Selections looked at. Real queries stay far below; only fragments that multiply each other get here. */
const MAX_VISITS = 400_000;
/** Fields within fields, fragments unfolded: bounds the stack. */
const MAX_DEPTH = 400;

const MAX = Number.MAX_SAFE_INTEGER;

/** What one object of a place is asked for. */
interface Tally {
  readonly requests: number;
  readonly nodes: number;
  readonly rejected: QueryRejection | undefined;
  readonly tellsItems: boolean;
  readonly tellsCount: boolean;
}

const NOTHING: Tally = { requests: 0, nodes: 0, rejected: undefined, tellsItems: false, tellsCount: false };

/**
 * What GitHub's rule says that an operation costs, without the schema: what has a page size, or selects what only
 * connections have, is a connection, and the occurrences that `collectSizes` puts together are one connection.
 *
 * Where that is not what the schema would say it is too much: two fragments on different types that apply to one object
 * after all (an interface and an object of it), fragments where no object comes (one object type within another, by way of
 * an interface), and `Topic.relatedTopics`, a list with a page size.
 *
 * @param root - the operation's selections
 * @param values - by place
 * @see https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 */
export function estimateSize(root: SizeSet, values: readonly SizeValue[]): QueryEstimate {
  const known = new Map<string, Tally>();
  let visitsLeft = MAX_VISITS;

  /** The same for the same sets wherever they stand, so that fragments are reckoned once, however often they are spread. */
  const tallyOf = (sets: readonly SizeSet[], depth: number): Tally => {
    if (sets.length === 0) return NOTHING;
    if (depth > MAX_DEPTH) visitsLeft = 0;
    const name = sets.map((one) => one.id).join();
    const before = known.get(name);
    if (before !== undefined) return before;
    const { connections, tellsItems, tellsCount, visits } = collectSizes(sets, values, visitsLeft);
    visitsLeft -= visits;
    let tally: Tally = { ...NOTHING, tellsItems, tellsCount };
    for (const occurrences of connections) {
      if (visitsLeft <= 0) break;
      const inner = tallyOf(
        occurrences.flatMap((one) => one.set ?? []),
        depth + 1,
      );
      tally = plus(tally, occurrences, inner, values);
    }
    known.set(name, tally);
    return tally;
  };

  const { requests, nodes, rejected } = tallyOf([root], 0);
  if (visitsLeft <= 0) return estimateOf(MAX, MAX, undefined);
  return estimateOf(requests, nodes, rejected);
}

function estimateOf(requests: number, nodes: number, rejected: QueryRejection | undefined): QueryEstimate {
  const tooMany: QueryRejection | undefined =
    nodes > MAX_NODES
      ? {
          type: "MAX_NODE_LIMIT_EXCEEDED",
          why: `up to ${nodes} nodes are asked for, and GitHub returns no more than ${MAX_NODES} in one query`,
        }
      : undefined;
  return { units: Math.max(1, Math.round(requests / 100)), requests, nodes, rejected: rejected ?? tooMany };
}

/** Adds a field, all its occurrences as one, and what is within it. */
function plus(sum: Tally, occurrences: readonly SizeField[], inner: Tally, values: readonly SizeValue[]): Tally {
  const size = largest(occurrences.map((one) => values[one.first] ?? values[one.last]));
  const isConnection = size !== undefined || inner.tellsItems || inner.tellsCount;
  const times = isConnection ? Math.max(0, size ?? 1) : (largest(occurrences.map((one) => values[one.ids])) ?? 1);
  const own = isConnection ? rejectionOf(occurrences[0]?.name ?? "", size, inner.tellsItems) : undefined;
  return {
    ...sum,
    requests: atMost(sum.requests + (isConnection ? 1 : 0) + times * inner.requests),
    nodes: atMost(sum.nodes + (isConnection ? Math.max(0, size ?? 0) : 0) + times * inner.nodes),
    rejected: sum.rejected ?? own ?? inner.rejected,
  };
}

function rejectionOf(name: string, size: number | undefined, asksForItems: boolean): QueryRejection | undefined {
  const field = `\`${name.slice(0, 100)}\``;
  if (size === undefined)
    return asksForItems
      ? { type: "MISSING_PAGINATION_BOUNDARIES", why: `${field} is asked for items without \`first\` or \`last\`` }
      : undefined;
  return size < 0 || size > MAX_PAGE
    ? { type: "EXCESSIVE_PAGINATION", why: `${field} is asked for ${size} items, and GitHub gives 1 to ${MAX_PAGE}` }
    : undefined;
}

function largest(values: readonly SizeValue[]): number | undefined {
  const numbers = values.filter((one) => typeof one === "number");
  return numbers.length === 0 ? undefined : numbers.reduce((a, b) => Math.max(a, b));
}

function atMost(value: number): number {
  return Math.min(value, MAX);
}
