import type { Clock } from "../clock.js";
import { withDeadline } from "./deadline.js";
import { isPostgresAdapter, type PostgresAdapter } from "./postgres-documents.js";
import { isRedisAdapter, type RedisAdapter } from "./redis-documents.js";
import type { StoreKeyv } from "./store.js";
import { storeError } from "./store-error.js";
import { unwrap } from "./unwrap.js";

/** What a listing is bounded by, and how the store is called when it fails. */
export interface ListingLimits {
  readonly clock: Clock;
  /** How long one step may take. */
  readonly timeoutMs: number;
  /** The store's address as it may be shown. */
  readonly where: string;
}

const PAGE = 1_000;

/**
 * The keys of a store that begin with `prefix`, without their values: a Keyv's own iterator reads all of them, those of
 * others too, and breaks off at the first that is not its own. Undefined when the adapter cannot list.
 *
 * The generator throws SquadRateError `SQUAD_RATE_STORE` when the store fails.
 *
 * @example
 * ```ts
 * for await (const key of listKeys(store.keyv, "squad-rate:cache:", limits) ?? []) await store.keyv.delete(key);
 * ```
 */
export function listKeys(keyv: StoreKeyv, prefix: string, limits: ListingLimits): AsyncGenerator<string> | undefined {
  const { iterator } = keyv;
  const pages = nativePages(unwrap(keyv).adapters, prefix) ?? (iterator && entryPages(iterator.bind(keyv)));
  return pages && ownKeys(pages, prefix, limits);
}

type Pages = AsyncIterator<readonly string[]>;

async function* ownKeys(
  pages: Pages,
  prefix: string,
  { clock, timeoutMs, where }: ListingLimits,
): AsyncGenerator<string> {
  for (;;) {
    let page: IteratorResult<readonly string[]>;
    try {
      page = await withDeadline(clock, timeoutMs, pages.next());
    } catch (cause) {
      throw storeError(where, "list its keys", cause);
    }
    if (page.done === true) return;
    for (const name of page.value) {
      // Some adapters list names with their namespace before them.
      const start = name.indexOf(prefix);
      if (start >= 0) yield name.slice(start);
    }
  }
}

function nativePages(adapters: readonly object[], prefix: string): Pages | undefined {
  for (const adapter of adapters) {
    if (isRedisAdapter(adapter)) return redisPages(adapter, prefix);
    if (isPostgresAdapter(adapter)) return postgresPages(adapter, prefix);
    if (adapter instanceof Map) return mapPages(adapter);
    if (isKeyLister(adapter)) return adapter.keyPages();
  }
  return undefined;
}

/** Our own file store. */
interface KeyLister {
  keyPages(): Pages;
}

function isKeyLister(adapter: object): adapter is KeyLister {
  return typeof (adapter as Partial<KeyLister>).keyPages === "function";
}

/** A node of Redis, as far as keys are listed. */
interface ScanningNode {
  scan(cursor: string, options: object): Promise<{ readonly cursor: unknown; readonly keys: readonly string[] }>;
}

async function* redisPages(adapter: RedisAdapter, prefix: string): AsyncGenerator<readonly string[]> {
  const { getMasterNodes } = adapter as { getMasterNodes?: () => Promise<readonly unknown[]> };
  const nodes = (await getMasterNodes?.call(adapter)) ?? [await adapter.getClient()];
  for (const node of nodes as readonly ScanningNode[]) {
    let cursor = "0";
    do {
      const page = await node.scan(cursor, { MATCH: `*${prefix}*`, COUNT: PAGE });
      yield page.keys;
      cursor = String(page.cursor);
    } while (cursor !== "0");
  }
}

async function* postgresPages(adapter: PostgresAdapter, prefix: string): AsyncGenerator<readonly string[]> {
  const table = `${adapter.opts.schema}.${adapter.opts.table}`;
  const select = `SELECT key FROM ${table} WHERE key LIKE $1 AND key > $2 ORDER BY key LIMIT ${PAGE}`;
  const pattern = `%${prefix.replace(/[%_\\]/g, "\\$&")}%`;
  let last = "";
  for (;;) {
    const rows = await adapter.query(select, [pattern, last]);
    const keys = rows.map(({ key }) => String(key));
    yield keys;
    if (keys.length < PAGE) return;
    last = keys.at(-1) ?? last;
  }
}

async function* mapPages(map: ReadonlyMap<unknown, unknown>): AsyncGenerator<readonly string[]> {
  yield Array.from(map.keys(), String);
}

async function* entryPages(iterator: NonNullable<StoreKeyv["iterator"]>): AsyncGenerator<readonly string[]> {
  for await (const [name] of iterator()) yield [String(name)];
}
