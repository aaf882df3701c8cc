import type { CompareAndSet } from "./compare-and-set.js";
import { type PostgresTurns, takeTurn } from "./postgres-turn.js";

/** `@keyv/postgres`, as far as documents need it. */
export interface PostgresAdapter {
  readonly opts: { readonly schema: string; readonly table: string };
  query(sql: string, values?: readonly unknown[]): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>;
  /** Only an adapter that we made has it: others' hide their connections, and a turn needs one to itself. */
  readonly turns?: PostgresTurns | undefined;
}

/** The adapter writes these names into its statements as they are; so do we, but only if they need no quoting. */
const NAME = /^[A-Za-z_]\w*$/;

/** Whether `adapter` looks like `@keyv/postgres`, whatever it calls itself. */
export function isPostgresAdapter(adapter: object): adapter is PostgresAdapter {
  const { query, opts } = adapter as Partial<PostgresAdapter>;
  if (typeof query !== "function" || typeof opts !== "object" || opts === null) return false;
  return [opts.schema, opts.table].every((name) => typeof name === "string" && NAME.test(name));
}

/**
 * Compare-and-set on Postgres, one statement each: under READ COMMITTED an UPDATE that waited for another one looks at
 * the row again before it changes it.
 * https://www.postgresql.org/docs/current/transaction-iso.html#XACT-READ-COMMITTED
 */
export function postgresCompareAndSet(adapter: PostgresAdapter): CompareAndSet {
  const { turns } = adapter;
  const table = `${adapter.opts.schema}.${adapter.opts.table}`;
  const select = `SELECT value FROM ${table} WHERE key = $1`;
  const insert = `INSERT INTO ${table} (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING RETURNING 1 AS done`;
  const update = `UPDATE ${table} SET value = $2 WHERE key = $1 AND value = $3 RETURNING 1 AS done`;
  return {
    async read(native) {
      const [row] = await adapter.query(select, [native]);
      return typeof row?.value === "string" ? row.value : undefined;
    },
    async swap(native, expected, { text }) {
      const rows =
        expected === undefined
          ? await adapter.query(insert, [native, text])
          : await adapter.query(update, [native, text, expected]);
      // What the statement could see is older than what it waited for, so a refusal brings nothing.
      return rows.length > 0 ? { kind: "done" } : { kind: "refused-unseen" };
    },
    takeTurn: turns === undefined ? undefined : (native, step) => takeTurn(turns, table, native, step),
  };
}
