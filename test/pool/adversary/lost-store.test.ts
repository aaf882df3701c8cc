import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { KeyvLike } from "../../../src/options.js";
import type { Squad } from "../../../src/squad.js";
import { readDocument } from "../../../src/store/atomic-update.js";
import { pooledSquads } from "../../harness/pooled-squads.js";
import { recordEvents } from "../../harness/record-events.js";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const TOKEN = "token ghp_shared";

function leaseOf(squad: Squad) {
  return squad.status().principals.find(({ pool }) => pool !== undefined)?.windows.core?.lease;
}

function warnings(): () => unknown[] {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  return () => warn.mock.calls.flat();
}

describe("a process whose calls are few", () => {
  // At a call in ten seconds none ever waits, so the store is tried again for as long as there is demand.
  it("comes back to a store that answers again", async () => {
    warnings();
    const { squad, read, clock, store } = await pooledSquads();
    const a = squad();
    await read(a);
    const serve = store.updates.update;
    store.updates.update = () => Promise.reject(new Error("connection refused"));
    await clock.advance(6 * MINUTE_MS);
    await read(a);
    await clock.advance(SECOND_MS);
    store.updates.update = serve;
    for (let call = 0; call < 60; call++) {
      await clock.advance(10 * SECOND_MS);
      await read(a);
    }
    expect(a.status().store?.state).toBe("well");
    expect(leaseOf(a)?.state).not.toBe("lost");
  });
});

describe("a class that was denied shortly before the store was lost", () => {
  // A denial says that what is left is held for others as often as that nothing is; the pool's word on what is left counts.
  it("goes on at its pace when GitHub shows plenty left", async () => {
    warnings();
    const { squad, read, github, clock, store } = await pooledSquads();
    github.quota(TOKEN).limit = 1_000;
    const [lead, review, index] = [
      squad({ agent: "lead", priority: 0 }),
      squad({ agent: "review", priority: 1 }),
      squad({ agent: "index", priority: 2 }),
    ];
    for (let call = 0; call < 100; call++) {
      await read(lead);
      await read(review);
      await clock.advance(SECOND_MS);
    }
    const eager = { squad: { maxWaitMs: 0 } };
    while ((await read(index, "/repos/o/r", eager).catch(() => "denied")) !== "denied") await clock.advance(100);
    expect(github.quota(TOKEN).used).toBeLessThan(500);
    store.updates.update = () => Promise.reject(new Error("connection refused"));
    await clock.advance(6 * MINUTE_MS);
    expect(await read(index)).toBe(404);
  });
});

describe("a document that cannot even be decoded", () => {
  // The store has answered: nobody is told of a server that is lost, and the next document is none that is back.
  it.each(["quota", "members", "cooldown"])("is told of once: %s", async (kind) => {
    const warned = warnings();
    const told = recordEvents("squad-rate:store");
    const { squad, read, clock, store } = await pooledSquads();
    const a = squad();
    await read(a);
    const name = a.status().principals[0]?.pool?.name;
    const key = `squad-rate:${kind}:api.github.com:${name}${kind === "quota" ? ":core" : ""}`;
    await store.keyv.set(key, [1, 2, 3]);
    for (let call = 0; call < 300; call++) {
      await read(a, "/repos/o/r/issues", { method: "POST", body: "{}" });
      await clock.advance(2 * SECOND_MS);
    }
    expect(told).toEqual([]);
    expect(warned().length).toBeLessThanOrEqual(1);
  });
});

describe("a document that was planted and is taken away again", () => {
  it.each([
    ["of another version", { version: 2, revision: 5, updatedAt: 1 }],
    ["of the future", { version: 1, revision: 5, updatedAt: Date.UTC(2040, 0, 1) }],
    ["without end", { version: 2, revision: 1, text: "y".repeat(3_000_000) }],
    ["with an inherited name", JSON.parse('{"version":1,"revision":3,"__proto__":{"updatedAt":1}}')],
  ])("heals: %s", async (_, planted) => {
    warnings();
    const { squad, read, clock, store, document } = await pooledSquads();
    const [a, b] = [squad({ agent: "a" }), squad({ agent: "b" })];
    await read(a);
    await read(b);
    const name = a.status().principals[0]?.pool?.name;
    const key = `squad-rate:quota:api.github.com:${name}:core`;
    await store.keyv.set(key, planted);
    await clock.advance(6 * MINUTE_MS);
    for (let call = 0; call < 20; call++) await Promise.all([read(a), read(b)]);
    expect(leaseOf(a)?.state).toBe("lost");
    await store.keyv.delete(key);
    await clock.advance(20 * SECOND_MS);
    for (let call = 0; call < 20; call++) await Promise.all([read(a), read(b)]);
    expect([leaseOf(a)?.state, leaseOf(b)?.state]).not.toContain("lost");
    expect(await document()).toMatchObject({ version: 1 });
  });
});

describe("a Keyv that did not answer once", () => {
  // How documents can be changed in it is found out before the first; a proof that is not answered is begun anew.
  it("is used when it answers again", async () => {
    warnings();
    const { squad, read, clock } = await pooledSquads();
    const values = new Map<string, unknown>();
    let hangs = true;
    const answer = <T>(value: T): Promise<T> => (hangs ? new Promise(() => undefined) : Promise.resolve(value));
    const keyv: KeyvLike = {
      get: (key) => answer(values.get(key)),
      set: (key, value) => answer(values.set(key, value) !== undefined),
      delete: (key) => answer(values.delete(key)),
    };
    const a = squad({ store: keyv });
    await read(a);
    hangs = false;
    for (let minute = 0; minute < 10; minute++) {
      await clock.advance(MINUTE_MS);
      await Promise.all([read(a), read(a), read(a)]);
    }
    expect(a.status().store?.state).toBe("well");
  });
});

describe("a store that is slow, and one that flaps", () => {
  it("200 ms: calls go, and all is counted", async () => {
    const { squad, read, clock, store, document } = await pooledSquads();
    const update = store.updates.update.bind(store.updates);
    store.updates.update = async (...given) => {
      await new Promise<void>((done) => clock.timer(200, done));
      return update(...given);
    };
    const squads = [squad({ agent: "a" }), squad({ agent: "b" }), squad({ agent: "c" })];
    for (let call = 0; call < 30; call++) await Promise.all(squads.map((each) => read(each)));
    await clock.settle(Promise.all(squads.map((each) => each.close())));
    const { allocations, retired } = (await document()) ?? {};
    expect({ allocations, retired }).toEqual({ allocations: {}, retired: [0, 90, 0] });
  });

  it("away every other second: nobody is stuck, and nothing is left when it is quiet", async () => {
    warnings();
    const { squad, read, clock, store } = await pooledSquads();
    const update = store.updates.update.bind(store.updates);
    let flaps = true;
    store.updates.update = (...given) =>
      flaps && Math.floor(clock.monotonic() / SECOND_MS) % 2 === 1
        ? Promise.reject(new Error("connection reset"))
        : update(...given);
    const squads = [squad({ agent: "a", priority: 0 }), squad({ agent: "b" }), squad({ agent: "c", priority: 2 })];
    for (let call = 0; call < 100; call++) {
      expect(await Promise.all(squads.map((each) => read(each)))).toEqual([404, 404, 404]);
      await clock.advance(300);
    }
    flaps = false;
    await clock.settle(Promise.all(squads.map((each) => each.close())));
    await clock.advance(SECOND_MS);
    expect(clock.pendingTimers).toBe(0);
    const name = squads[0]?.status().principals[0]?.pool?.name;
    expect((await readDocument(store, `squad-rate:members:api.github.com:${name}`))?.members).toEqual({});
  });
});
