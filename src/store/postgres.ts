import { randomUUID } from "node:crypto";
import { boundCalls, type CallLimits } from "./bounded-calls.js";
import { makeKeyv, type OwnAdapter } from "./make-keyv.js";
import type { Opened } from "./opened.js";
import { importPeer } from "./optional-peer.js";
import { isTableMissing, type PostgresConnection, type PostgresTurns } from "./postgres-turn.js";

/** A host that drops packets is given up after this long. */
const CONNECT_TIMEOUT_MS = 2_000;
/** Connections of one process: updates of one document take turns, and a cache's reads are short. */
const MAX_CONNECTIONS = 4;
/** A query that got no answer for so long ends its connection; long before that its caller has stopped waiting. */
const MIN_QUERY_TIMEOUT_MS = 1_000;

/** `pg.Pool`, as far as it is looked at here. */
interface Pool {
  readonly ending: boolean;
  connect(): Promise<PostgresConnection>;
  listenerCount(event: "error"): number;
  on(event: "error", listener: () => void): void;
  on(event: "connect" | "acquire" | "remove", listener: (connection: Connection) => unknown): void;
  end(): Promise<void>;
}

interface Connection {
  unref?(): void;
  readonly connection?: { readonly stream?: { destroy(): void } };
}

/**
 * A Keyv on Postgres.
 *
 * - `pg.Pool` throws the error of an idle connection at the process unless somebody listens, and the adapter hides the
 *   pool; `log` is called with the pool as `this`, which is how it is got hold of.
 * - The adapter shares one pool, the newest, between all stores of a process and ends that one on disconnect; a fragment
 *   that differs, which the URI's parser ignores, gives every store a pool of its own.
 * - The adapter makes its table once, when it is made; a server that was down then, or lost its data, has no table later.
 */
export async function openPostgres(url: string, limits: CallLimits): Promise<Opened> {
  const { KeyvPostgres } = await importPeer("@keyv/postgres", () => import("@keyv/postgres"));
  let pool: Pool | undefined;
  const connections = new Set<Connection>();
  const adapter = new KeyvPostgres({
    uri: `${url.replace(/#.*$/, "")}#${randomUUID()}`,
    max: MAX_CONNECTIONS,
    allowExitOnIdle: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: Math.max(MIN_QUERY_TIMEOUT_MS, 4 * limits.timeoutMs),
    log(this: Pool) {
      if (pool === this) return;
      pool = this;
      this.on("error", () => {});
      // The pool holds the process open while a query is out, for ever if the server hangs; our deadlines do it instead.
      this.on("acquire", (connection) => connection.unref?.());
      this.on("connect", (connection) => connections.add(connection));
      this.on("remove", (connection) => connections.delete(connection));
    },
  } as object);
  // A server that is down refuses the adapter's first query before a Keyv listens, and the event would end the process.
  adapter.on("error", () => {});
  remakeTable(adapter);
  const breakOff = (): void => {
    for (const { connection } of connections) connection?.stream?.destroy();
    connections.clear();
  };
  boundCalls(adapter, { ...limits, breakOff });
  const turns: PostgresTurns = { connect: () => pool?.connect(), timeoutMs: limits.timeoutMs };
  return {
    keyv: await makeKeyv(Object.assign(adapter, { turns }) as unknown as OwnAdapter),
    close: async () => {
      if (pool !== undefined && !pool.ending) await pool.end();
    },
    breakOff,
  };
}

/** What is looked at of the adapter to make its table again. */
interface TableAdapter {
  readonly opts: { readonly schema?: string; readonly table?: string; readonly keySize?: number };
  query(sql: string, values?: unknown[]): Promise<unknown>;
}

function remakeTable(adapter: unknown): void {
  const own = adapter as TableAdapter;
  const query = own.query;
  const { schema, table, keySize } = own.opts;
  const create = `CREATE TABLE IF NOT EXISTS ${schema}.${table} (key VARCHAR(${keySize}) PRIMARY KEY, value TEXT)`;
  own.query = async (sql, values) => {
    try {
      return await query(sql, values);
    } catch (error) {
      if (!isTableMissing(error)) throw error;
      // Of two processes that make it at once one fails, with the table there all the same.
      await query(create).catch(() => undefined);
      return query(sql, values);
    }
  };
}
