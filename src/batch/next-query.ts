import type { Entry, ItemQueue } from "./item-queue.js";
import type { BatchSizes } from "./sizes.js";
import type { WeighedSelection } from "./weigh-item.js";

/** An item that can be asked for. */
export type AskableEntry<I, V> = Entry<I, V> & { readonly selection: WeighedSelection };

/** https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api#node-limit */
const MAX_NODES = 500_000;

/**
 * The items that the next query asks for: from the first on as many as fit. One more in a query costs no more than another
 * query, since each costs at least a unit and counts as a request.
 */
export async function nextQuery<I, V>(
  queue: ItemQueue<I, V>,
  sizes: BatchSizes,
  size: number,
): Promise<readonly AskableEntry<I, V>[]> {
  const chosen: AskableEntry<I, V>[] = [];
  let atMost = size;
  let nodes = 0;
  for await (const entry of queue.unanswered()) {
    if (!isAskable(entry) || !goesWith(entry, chosen[0])) continue;
    atMost = Math.min(atMost, entry.atMost, sizes.atMost(entry.selection.shape));
    nodes += entry.selection.nodes;
    if (chosen.length > 0 && (chosen.length >= atMost || nodes > MAX_NODES)) break;
    chosen.push(entry);
    // The source is not asked for an item that would have to wait.
    if (chosen.length >= atMost) break;
  }
  return chosen;
}

function isAskable<I, V>(entry: Entry<I, V>): entry is AskableEntry<I, V> {
  return entry.selection !== undefined;
}

function goesWith<I, V>(entry: AskableEntry<I, V>, first: AskableEntry<I, V> | undefined): boolean {
  if (first === undefined || !(entry.apart || first.apart)) return true;
  return entry.selection.shape === first.selection.shape;
}
