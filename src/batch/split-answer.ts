import { indexOfAlias } from "./compose.js";
import {
  errorsIn,
  type GraphqlErrorInAnswer,
  type GraphqlItemErrorEntry,
  itemErrorEntry,
  pathOf,
} from "./item-error.js";

/** What an answer says of one item. */
export interface ItemAnswer {
  /** `null` where GitHub has none; `undefined` where the item's own directives left it out. */
  readonly value: unknown;
  readonly errors: readonly GraphqlItemErrorEntry[];
}

/**
 * The answer to a query for `count` items, item by item. An error goes to the item that its path begins with. One without
 * such a path explains the items that have neither a value nor an error of their own; where there are none it may concern
 * any item, and is told to all.
 *
 * @example
 * ```ts
 * splitAnswer({ i0: { id: 1 }, i1: null }, [{ type: "NOT_FOUND", path: ["i1"], message: "…" }], 2);
 * // [{ value: { id: 1 }, errors: [] }, { value: null, errors: [{ type: "NOT_FOUND", path: [], message: "…" }] }]
 * ```
 */
export function splitAnswer(
  data: Readonly<Record<string, unknown>>,
  errors: unknown,
  count: number,
): readonly ItemAnswer[] {
  const own: GraphqlItemErrorEntry[][] = Array.from({ length: count }, () => []);
  const common: GraphqlErrorInAnswer[] = [];
  for (const error of errorsIn(errors)) {
    const [first, ...path] = pathOf(error) ?? [];
    const entries = own[indexOfAlias(first) ?? -1];
    if (entries === undefined) common.push(error);
    else entries.push(itemErrorEntry(error, path));
  }
  const values = own.map((_, index) => data[`i${index}`]);
  const isUnexplained = values.map((value, index) => value === null && own[index]?.length === 0);
  const shared = common.map((error) => itemErrorEntry(error, undefined));
  return values.map((value, index) => {
    const concernsIt = !isUnexplained.includes(true) || isUnexplained[index] === true;
    return { value, errors: concernsIt ? [...(own[index] ?? []), ...shared] : (own[index] ?? []) };
  });
}
