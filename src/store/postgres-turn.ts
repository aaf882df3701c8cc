import type { Turn } from "./compare-and-set.js";
import type { Step } from "./documents.js";

/** A connection of `pg.Pool`, as far as a turn needs it. */
export interface PostgresConnection {
  /** Several statements in one go have several results. */
  query(sql: string): Promise<unknown>;
  escapeLiteral(text: string): string;
  on(event: "error", listener: () => void): unknown;
  off(event: "error", listener: () => void): unknown;
  release(destroy: boolean): void;
}

/** Where turns are to be had: only in a pool of our own. */
export interface PostgresTurns {
  /** A connection for one transaction; undefined when there is no way to one. */
  connect(): Promise<PostgresConnection> | undefined;
  /** How long somebody waits for a turn; half of it is how long somebody who says nothing keeps it. */
  readonly timeoutMs: number;
}

interface Result {
  readonly rowCount: number | null;
  readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>>;
}

/** SQLSTATE for a table that is not there. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNDEFINED_TABLE = "42P01";

/** Whether `error` is Postgres's word that the table is not there. */
export function isTableMissing(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === UNDEFINED_TABLE;
}

/**
 * Changes the row of `key` while nobody else can; undefined when there is no row, no table or no connection.
 *
 * Whoever wants the row waits in Postgres's own line for it, so that nobody is overtaken again and again. Others wait as
 * long as this takes, hence two round trips and no more: values stand in the statements, in the driver's own quoting,
 * because parameters would take a round trip for each statement. A process that falls silent with the row in its hands
 * loses its connection, and with it the row, while those in line still have half their time.
 */
export async function takeTurn(
  turns: PostgresTurns,
  table: string,
  key: string,
  step: Step,
): Promise<Turn | undefined> {
  const connection = await turns.connect();
  if (connection === undefined) return undefined;
  const row = `key = ${connection.escapeLiteral(key)}`;
  let isSound = false;
  // Between two statements a broken connection is told by an event, and one that nobody hears ends the process.
  connection.on("error", ignore);
  try {
    const found = await holdRow(connection, turns.timeoutMs, `SELECT value FROM ${table} WHERE ${row} FOR UPDATE`);
    const written = found === undefined ? undefined : step(found);
    if (written === undefined) {
      await connection.query("ROLLBACK");
    } else {
      const set = `UPDATE ${table} SET value = ${connection.escapeLiteral(written.text)} WHERE ${row}`;
      const [update] = (await connection.query(`${set}; COMMIT`)) as readonly Result[];
      if (update?.rowCount !== 1) throw new Error("the row did not take its new value");
    }
    isSound = true;
    return found === undefined ? undefined : { found, written };
  } catch (error) {
    if (isTableMissing(error)) return undefined;
    throw error;
  } finally {
    connection.off("error", ignore);
    // After a failure nobody knows what is open on it; the server rolls back when it ends.
    connection.release(!isSound);
  }
}

/** Begins a transaction that waits for the row, and keeps it, only for so long. */
async function holdRow(connection: PostgresConnection, timeoutMs: number, select: string): Promise<string | undefined> {
  const results = await connection.query(
    [
      "BEGIN ISOLATION LEVEL READ COMMITTED",
      `SET LOCAL lock_timeout = ${timeoutMs}`,
      `SET LOCAL idle_in_transaction_session_timeout = ${Math.ceil(timeoutMs / 2)}`,
      select,
    ].join("; "),
  );
  const value = (results as readonly Result[]).at(-1)?.rows[0]?.value;
  return typeof value === "string" ? value : undefined;
}

function ignore(): void {}
