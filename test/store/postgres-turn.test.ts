import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { atomicUpdate, readDocument } from "../../src/store/atomic-update.js";
import type { Document } from "../../src/store/document.js";
import { openStore } from "../../src/store/open-store.js";
import { type PostgresConnection, type PostgresTurns, takeTurn } from "../../src/store/postgres-turn.js";
import type { Store } from "../../src/store/store.js";
import { requireServer } from "../harness/servers.js";

const postgres = await requireServer("postgres");

const PATIENT_MS = 10_000;
const count = (current: Document | undefined): Document => ({ ...current, count: Number(current?.count ?? 0) + 1 });

describe.skipIf(postgres.missing)(`turns in ${postgres.label}`, () => {
  const opened: Store[] = [];
  const keys: string[] = [];

  const open = async (timeoutMs = PATIENT_MS, url = postgres.url): Promise<Store> => {
    const store = await openStore(url, { timeoutMs });
    opened.push(store);
    return store;
  };

  const newKey = (suffix = ""): string => {
    const key = `squad-rate:turn:${randomUUID()}${suffix}`;
    keys.push(key);
    return key;
  };

  const turnsOf = (store: Store): PostgresTurns =>
    (store.keyv as unknown as { readonly store: { readonly turns: PostgresTurns } }).store.turns;

  /** A connection of its own, for what somebody else does. */
  const connect = async (store: Store): Promise<PostgresConnection> =>
    (await turnsOf(store).connect()) as PostgresConnection;

  const stopped = async (store: Store): Promise<void> => {
    opened.splice(opened.indexOf(store), 1);
    await store.close();
  };

  afterEach(async () => {
    const store = opened[0];
    for (const key of keys.splice(0)) await store?.keyv.delete(key);
    for (const each of opened.splice(0)) await each.close();
  });

  it("keeps whatever a document or its key may hold as it was", async () => {
    const [store, other] = [await open(), await open()];
    const key = newKey(":o'brien\\'$1;--");
    const values = { quote: `'; DROP TABLE keyv; --`, slashes: "\\'\\\\n\\u0000", nul: "\0", text: "line\nünï ✓ $1 ?" };
    await atomicUpdate(store, key, count);
    await atomicUpdate(other, key, count);

    await atomicUpdate(store, key, (current) => ({ ...current, ...values }));
    await atomicUpdate(other, key, count);

    expect(await readDocument(store, key)).toEqual({ ...values, count: 3, revision: 4 });
  });

  it("loses nothing of what stores that write all the time make of a document", async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => open()));
    const key = newKey();

    const writers = stores.map(async (store) => {
      for (let update = 0; update < 15; update++) await atomicUpdate(store, key, count);
    });
    await Promise.all(writers);

    expect(await readDocument(stores[0] as Store, key)).toEqual({ count: 60, revision: 60 });
  });

  it("gives the row to the next when a process stands still with it in its hands", async () => {
    const [still, next] = [await open(200), await open()];
    const key = newKey();
    await atomicUpdate(next, key, count);
    // Its first contact takes longer than its timeout on a busy machine.
    await connect(still).then((connection) => connection.release(false));
    const stand = (text: string): { text: string; ttlMs: undefined } => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
      return { text: text.replace('"count":1', '"count":9'), ttlMs: undefined };
    };

    const stood = takeTurn(turnsOf(still), "public.keyv", key, (text) => stand(text as string));
    const failure = expect(stood).rejects.toThrow(/idle-in-transaction timeout|[Cc]onnection terminated/);

    await failure;
    expect(await atomicUpdate(next, key, count)).toEqual({ count: 2, revision: 2 });
  });

  it("leaves the line when its time is over, having changed nothing", async () => {
    const [store, other] = [await open(500), await open()];
    const key = newKey();
    await atomicUpdate(other, key, count);
    await atomicUpdate(store, key, count);
    await atomicUpdate(other, key, count);
    const holder = await connect(other);
    await holder.query(`BEGIN; SELECT value FROM keyv WHERE key = '${key}' FOR UPDATE`);

    await expect(atomicUpdate(store, key, count)).rejects.toMatchObject({ code: "SQUAD_RATE_STORE" });
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%${key}%'`;
    const seeWaiting = async (): Promise<number> =>
      ((await holder.query(waiting)) as { readonly rows: readonly unknown[] }).rows.length;
    // The server's own limit ends the wait; the test runs out of time if it does not.
    await expect.poll(seeWaiting, { timeout: 10_000 }).toBe(0);
    await holder.query("ROLLBACK");
    holder.release(false);

    expect(await readDocument(other, key)).toEqual({ count: 3, revision: 3 });
    expect(await atomicUpdate(store, key, count)).toEqual({ count: 4, revision: 4 });
  });

  it("makes the table again when it has gone", async () => {
    const name = `squad_rate_${randomUUID().replaceAll("-", "")}`;
    const host = await open();
    const admin = await connect(host);
    await admin.query(`CREATE DATABASE ${name}`);
    try {
      const store = await open(PATIENT_MS, Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href);
      await atomicUpdate(store, "squad-rate:test", count);
      const connection = await connect(store);
      await connection.query("DROP TABLE keyv");

      // A key of which this process knows nothing: it begins by asking for a turn.
      expect(await atomicUpdate(store, "squad-rate:unknown", count)).toEqual({ count: 1, revision: 1 });
      await connection.query("DROP TABLE keyv");
      expect(await atomicUpdate(store, "squad-rate:unknown", count)).toEqual({ count: 1, revision: 1 });
      connection.release(false);
      await stopped(store);
    } finally {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      admin.release(false);
    }
  });
});

describe("takeTurn", () => {
  /** A connection that answers with what `answer` makes of a statement. */
  function connection(answer: (sql: string) => unknown): PostgresConnection & EventEmitter & { ends: boolean[] } {
    const ends: boolean[] = [];
    return Object.assign(new EventEmitter(), {
      ends,
      query: async (sql: string) => answer(sql),
      escapeLiteral: (text: string) => `'${text}'`,
      release: (destroy: boolean) => void ends.push(destroy),
    });
  }

  const take = (
    lent: PostgresConnection,
    step = (): { text: string; ttlMs: undefined } => ({ text: "b", ttlMs: undefined }),
  ) => takeTurn({ connect: async () => lent, timeoutMs: 250 }, "public.keyv", "k", step);

  const sound = (sql: string): unknown =>
    sql.startsWith("BEGIN") ? [{}, {}, {}, { rows: [{ value: "a" }] }] : [{ rowCount: 1 }, {}];

  it("gives its connection back", async () => {
    const lent = connection(sound);

    expect(await take(lent)).toEqual({ found: "a", written: { text: "b", ttlMs: undefined } });
    expect(lent.ends).toEqual([false]);
    expect(lent.listenerCount("error")).toBe(0);
  });

  it("survives a connection that breaks between its statements, and does not give it back", async () => {
    const lent = connection((sql) => {
      if (sql.startsWith("BEGIN")) return sound(sql);
      throw new Error("the connection is gone");
    });

    const turn = take(lent, () => {
      lent.emit("error", new Error("terminated"));
      return { text: "b", ttlMs: undefined };
    });

    await expect(turn).rejects.toThrow("the connection is gone");
    expect(lent.ends).toEqual([true]);
  });

  it("does not give a connection back on which a transaction is open, because the step threw", async () => {
    const lent = connection(sound);

    const turn = take(lent, () => {
      throw new Error("unreadable");
    });

    await expect(turn).rejects.toThrow("unreadable");
    expect(lent.ends).toEqual([true]);
  });

  it("fails when the row did not take the value", async () => {
    const lent = connection((sql) => (sql.startsWith("BEGIN") ? sound(sql) : [{ rowCount: 0 }, {}]));

    await expect(take(lent)).rejects.toThrow("did not take");
  });

  it("has no turn to give where there is no connection to be had", async () => {
    expect(await takeTurn({ connect: () => undefined, timeoutMs: 250 }, "public.keyv", "k", () => undefined)).toBe(
      undefined,
    );
  });
});
