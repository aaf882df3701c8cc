import { isSquadRateError } from "../errors.js";
import { loadParser, parserAtOnce } from "../graphql/load-parser.js";
import { optionError } from "../options/check.js";
import type { Engine } from "../pipeline/engine.js";
import { MAX_BATCH_SIZE } from "../policy/batch-size.js";
import { ask, type Graphql, type Reply } from "./ask.js";
import type { BatchResult } from "./batch-result.js";
import { type BatchOptions, type CheckedOptions, checkBatchOptions } from "./check-options.js";
import { compose } from "./compose.js";
import { HopelessShapes } from "./hopeless-shapes.js";
import { type Entry, ItemQueue } from "./item-queue.js";
import { type AskableEntry, nextQuery } from "./next-query.js";
import { readShared } from "./read-shared.js";
import { BatchSizes } from "./sizes.js";
import { takeReply } from "./take-reply.js";
import { weighItem } from "./weigh-item.js";

/**
 * Asks GitHub about many things in few GraphQL queries, and tells of each what came of it, in their order.
 *
 * `toSelection` returns for each item one root field of a query; an alias is replaced. `JSON.stringify` makes literals of
 * GraphQL of strings, numbers and booleans, so that nothing in them can be more than a value. What all items share goes into
 * `variables` and `fragments`.
 *
 * A query asks for `size` items, 25 by default, and for fewer while GitHub runs out of time or resources with so many; those
 * that it could not answer are asked for again. GitHub rounds the cost of each query to at least one unit, so few large ones
 * cost less than many small ones. One query is sent at a time, and the next one when its results are asked for.
 *
 * An item that GitHub does not find, or that is wrong, gets an `error` and leaves the others alone.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` at once for a wrong or unknown option, and for fragments and types that cannot
 * be read when the results are asked for. These come from the iteration as well: the reason of `request.signal` when that
 * aborts, `SQUAD_RATE_CLOSED`, and what `items` throws, after the results of those that came before.
 *
 * @see https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 *
 * @example
 * ```ts
 * const toSelection = (number: number) =>
 *   `repository(owner: "octokit", name: "core.js") { pullRequest(number: ${number}) { title mergeable } }`;
 * for await (const { item, value, error } of octokit.squad.batch([1, 2, 3], toSelection)) {
 *   if (error) console.warn(item, error.message);
 *   else console.log(item, value);
 * }
 * ```
 */
export type Batch = <I, V = unknown>(
  items: Iterable<I> | AsyncIterable<I>,
  toSelection: (item: I, index: number) => string,
  options?: BatchOptions,
) => AsyncIterable<BatchResult<I, V>>;

/** What is learnt of sizes serves all Octokits of a squad. */
function newSizes(): BatchSizes {
  return new BatchSizes();
}

/** Batches that are sent by this `graphql`, an Octokit's own. */
export function batchFor(engine: Engine, graphql: Graphql): Batch {
  return (items, toSelection, options) => {
    checkItems(items, toSelection);
    const among = { engine, graphql, sizes: engine.kept.of(engine, newSizes) };
    return results(among, items, toSelection, checkBatchOptions(options, engine.requestDefaults));
  };
}

/** Where a batch is carried out. */
interface Among {
  readonly engine: Engine;
  readonly graphql: Graphql;
  readonly sizes: BatchSizes;
}

/** The life of a batch. */
async function* results<I, V>(
  { engine, graphql, sizes }: Among,
  items: Iterable<I> | AsyncIterable<I>,
  toSelection: (item: I, index: number) => string,
  { size, request, ...options }: CheckedOptions,
): AsyncGenerator<BatchResult<I, V>, void, undefined> {
  const { clock } = engine;
  const parser = parserAtOnce() ?? (await loadParser());
  const shared = readShared(parser, options);
  const queue = new ItemQueue<I, V>(items, (item, index) =>
    entryOf(item, () => weighItem(parser, toSelection(item, index), shared)),
  );
  const hopeless = new HopelessShapes();
  let isFailing = false;
  try {
    while (!queue.isOver()) {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) yield next;
      const chosen = await nextQuery(queue, sizes, size);
      if (chosen.length === 0) continue;
      throwIfAborted(request.signal);
      if (hopeless.fail(chosen)) continue;
      const composed = compose(
        chosen.map(({ selection }) => selection),
        shared,
      );
      const reply = await ask(graphql, composed, request, clock);
      if (reply.kind === "failed") throwIfOver(reply.error, request.signal);
      learn(sizes, chosen, reply, clock.monotonic());
      hopeless.heard(chosen, reply);
      takeReply(chosen, composed, reply);
    }
  } catch (error) {
    isFailing = true;
    throw error;
  } finally {
    // As with `for await`, what went wrong first is what is told.
    if (isFailing) await queue.close().catch(() => undefined);
    else await queue.close();
  }
}

function entryOf<I, V>(item: I, weigh: () => AskableEntry<I, V>["selection"]): Entry<I, V> {
  const entry = { item, atMost: MAX_BATCH_SIZE, apart: false };
  try {
    return { ...entry, selection: weigh(), result: undefined };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error("batch: toSelection threw.", { cause: thrown });
    return { ...entry, selection: undefined, result: { item, error } };
  }
}

/** One item alone shows nothing about how many go together. */
function learn<I, V>(sizes: BatchSizes, chosen: readonly AskableEntry<I, V>[], reply: Reply, now: number): void {
  const shapes = new Set(chosen.map(({ selection }) => selection.shape));
  const wasTooMuch = reply.kind === "too-much" || (reply.kind === "answered" && reply.tooMuch);
  if (wasTooMuch && chosen.length > 1) sizes.wasTooMuch(shapes, chosen.length, now);
  else if (reply.kind === "answered" && !wasTooMuch) sizes.wentWell(shapes, chosen.length, now);
}

/** Nothing of the batch will be sent any more. */
function throwIfOver(error: Error, signal: AbortSignal | undefined): void {
  throwIfAborted(signal);
  if (isSquadRateError(error) && error.code === "SQUAD_RATE_CLOSED") throw error;
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw signal.reason;
}

function checkItems(items: unknown, toSelection: unknown): void {
  const isIterable =
    typeof items === "object" && items !== null && (Symbol.iterator in items || Symbol.asyncIterator in items);
  if (!isIterable) throw optionError("batch: items", "an array, or another iterable or async iterable", items);
  if (typeof toSelection !== "function") throw optionError("batch: toSelection", "a function", toSelection);
}
