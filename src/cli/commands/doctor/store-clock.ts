import { isPostgresAdapter } from "../../../store/postgres-documents.js";
import { isRedisAdapter } from "../../../store/redis-documents.js";
import type { Store } from "../../../store/store.js";
import { unwrap } from "../../../store/unwrap.js";

/** A node-redis client, as far as it is asked the time. */
interface Commanded {
  sendCommand(words: readonly string[]): Promise<unknown>;
}

/** How far the store's server is ahead of this machine, in milliseconds; undefined where it has no clock of its own or none to ask. */
export async function serverAheadMs(store: Store, now: () => number): Promise<number | undefined> {
  const began = now();
  const at = await serverTime(store).catch(() => undefined);
  return at === undefined || !Number.isFinite(at) ? undefined : at - (began + now()) / 2;
}

async function serverTime({ keyv }: Store): Promise<number | undefined> {
  for (const adapter of unwrap(keyv).adapters) {
    if (isRedisAdapter(adapter)) {
      const told = await ((await adapter.getClient()) as unknown as Commanded).sendCommand(["TIME"]);
      if (!Array.isArray(told)) return undefined;
      return Number(told[0]) * 1_000 + Number(told[1]) / 1_000;
    }
    if (isPostgresAdapter(adapter)) {
      const [row] = await adapter.query("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at");
      return Number(row?.at);
    }
  }
  return undefined;
}
