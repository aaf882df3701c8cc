import { chooseEvicted, type Eviction, evictableNames } from "../../../pool/outside/choose-evicted.js";
import { evictFromPool } from "../../../pool/outside/evict-from-pool.js";
import type { PoolView } from "../../../pool/outside/pool-view.js";
import { StoreDocuments } from "../../../pool/store-documents.js";
import { printable } from "../../../report/printable.js";
import type { Store } from "../../../store/store.js";
import { CommandEnd } from "../../command-end.js";
import { confirmed } from "../../confirm.js";
import type { CommandContext } from "../../context.js";
import { EXIT } from "../../exit-code.js";
import { loadSettings } from "../../settings.js";
import type { Flags } from "../../shared-options.js";
import { checkNamedPool, choosePools, readPools, shownName } from "./choose-pools.js";
import { evictedLines, evictionQuestion } from "./evict-words.js";
import { nearestFirst } from "./nearest-first.js";
import { withStore } from "./with-store.js";

/** Options of `squad-rate pool evict`. */
export interface EvictOptions {
  readonly who: string;
  readonly machine?: string;
  readonly resource?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** What `squad-rate pool evict` does. */
export async function runEvict(context: CommandContext, options: EvictOptions, flags: Flags): Promise<void> {
  const settings = await loadSettings(context, flags);
  const { clock, env, out } = context;
  await withStore(context, settings, async (store) => {
    const chosen = await choosePools(store, clock, { env, settings });
    checkNamedPool(chosen, settings, store.describe().uri);
    const views = await readPools(store, chosen.pools, clock);
    const { pool, eviction } = theOnePool(views, options, store.describe().uri);
    await confirmed(context, evictionQuestion(pool, options, eviction), options.yes);
    const evicted = await evictFromPool(documentsOf(store, clock.monotonic), pool, eviction, pool.now);
    if (options.json === true)
      out.write(`${JSON.stringify({ version: 1, pool: pool.name, host: pool.host, ...evicted })}\n`);
    else out.write(`${evictedLines(evicted, eviction, pool.now).join("\n")}\n`);
  });
}

/** A store's documents for whoever changes one from outside. */
export function documentsOf(store: Store, monotonic: () => number): StoreDocuments {
  return new StoreDocuments({
    open: () => Promise.resolve(store),
    where: store.describe().uri,
    monotonic,
    onHealth: () => undefined,
  });
}

interface Found {
  readonly pool: PoolView;
  readonly eviction: Eviction;
}

function theOnePool(views: readonly PoolView[], options: EvictOptions, where: string): Found {
  const found: Found[] = [];
  for (const pool of views) {
    const eviction = chooseEvicted(pool, options);
    if (eviction !== undefined) found.push({ pool, eviction });
  }
  const [first, ...more] = found;
  if (first === undefined) throw nobody(views, options, where);
  if (more.length === 0) return first;
  throw new CommandEnd(EXIT.usage, {
    message: `${printable(options.who)} is in ${found.length} pools: ${found.map(({ pool }) => printable(shownName(pool.name))).join(", ")}`,
    remedy: "say which with --pool",
  });
}

const MOST_NAMED = 10;

function nobody(views: readonly PoolView[], { who, machine }: EvictOptions, where: string): CommandEnd {
  const names = nearestFirst(who, [...new Set(views.flatMap(evictableNames))]).map(printable);
  const there =
    names.length === 0
      ? "nobody is in the pool"
      : `there are ${names.slice(0, MOST_NAMED).join(", ")}${names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ""}`;
  const on = machine === undefined ? "" : ` on ${printable(machine)}`;
  return new CommandEnd(EXIT.found, { message: `no agent ${printable(who)}${on} in ${where}`, remedy: there });
}
