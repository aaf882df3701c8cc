import type { Clock } from "../../clock.js";
import { listKeys } from "../../store/list-keys.js";
import type { Store } from "../../store/store.js";
import { type PoolIdentity, readKey } from "../keys.js";

/** A pool that lies in a store. */
export interface FoundPool extends PoolIdentity {
  /** Those whose quota it shares, the usual ones first. */
  readonly resources: readonly string[];
}

/** The pools of a store, as far as it lists its keys. */
export type FoundPools =
  | { readonly kind: "listed"; readonly pools: readonly FoundPool[]; readonly complete: boolean }
  /** The adapter cannot list its keys. */
  | { readonly kind: "unlistable" };

/** What a listing may take. */
export interface ListingBounds {
  readonly clock: Clock;
  /** Default: 5,000. */
  readonly maxMs?: number | undefined;
  /** Keys of this package that are looked at, kept answers included. Default: 200,000. */
  readonly maxKeys?: number | undefined;
}

const MAX_MS = 5_000;
const MAX_KEYS = 200_000;

/**
 * Which pools there are, by the keys of the store, of which only those of this package are minded. Reads, and nothing else.
 *
 * @throws SquadRateError `SQUAD_RATE_STORE` when the store does not answer.
 */
export async function findPools(store: Store, bounds: ListingBounds): Promise<FoundPools> {
  const pools = new Map<string, { readonly pool: PoolIdentity; readonly resources: Set<string> }>();
  const { clock, maxMs = MAX_MS, maxKeys = MAX_KEYS } = bounds;
  const listed = listKeys(store.keyv, "squad-rate:", { clock, timeoutMs: maxMs, where: store.describe().uri });
  if (listed === undefined) return { kind: "unlistable" };
  const endsAt = clock.monotonic() + maxMs;
  let keys = 0;
  let complete = true;
  for await (const key of listed) {
    const found = readKey(key);
    if (found !== undefined) {
      const id = `${found.pool.host} ${found.pool.name}`;
      const known = pools.get(id) ?? { pool: found.pool, resources: new Set() };
      if (found.resource !== undefined) known.resources.add(found.resource);
      pools.set(id, known);
    }
    if (++keys < maxKeys && clock.monotonic() < endsAt) continue;
    complete = false;
    break;
  }
  const found = Array.from(pools.values(), ({ pool, resources }) => ({ ...pool, resources: inUsualOrder(resources) }));
  return { kind: "listed", pools: found.sort(byName), complete };
}

/** What is looked for where a store does not say what it has. */
export const USUAL_RESOURCES: readonly string[] = ["core", "graphql", "search", "code_search"];

function inUsualOrder(resources: Iterable<string>): readonly string[] {
  const rank = (resource: string): number => {
    const index = USUAL_RESOURCES.indexOf(resource);
    return index < 0 ? USUAL_RESOURCES.length : index;
  };
  return [...resources].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function byName(a: PoolIdentity, b: PoolIdentity): number {
  return a.host === b.host ? (a.name < b.name ? -1 : 1) : a.host < b.host ? -1 : 1;
}
