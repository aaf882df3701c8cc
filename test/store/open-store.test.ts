import { Keyv } from "keyv";
import { describe, expect, it, vi } from "vitest";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { atomicUpdate, readDocument } from "../../src/store/atomic-update.js";
import { openStore } from "../../src/store/open-store.js";
import { importPeer } from "../../src/store/optional-peer.js";
import type { StoreKeyv } from "../../src/store/store.js";

/** These run on the real clock, and a busy machine may stand still for longer than the default. */
const PATIENT_MS = 10_000;

const KEY = "squad-rate:test";

/** An adapter without compare-and-set, over a Map that the test can reach. */
function plainAdapter(entries = new Map<string, unknown>()) {
  return {
    opts: { url: "plain:" },
    get: async (key: string) => entries.get(key),
    set: async (key: string, value: unknown) => void entries.set(key, value),
    delete: async (key: string) => entries.delete(key),
    clear: async () => entries.clear(),
  };
}

describe("openStore", () => {
  it("warns once, and only once, that updates are advisory", async () => {
    const onWarning = vi.fn();
    const store = await openStore(new Keyv({ store: plainAdapter() }) as StoreKeyv, {
      onWarning,
      timeoutMs: PATIENT_MS,
    });

    for (let update = 0; update < 3; update++) await atomicUpdate(store, KEY, () => ({ update }));

    expect(store.describe()).toEqual({ kind: "keyv", uri: "keyv:", atomicity: "advisory" });
    expect(onWarning).toHaveBeenCalledOnce();
    expect(onWarning.mock.calls[0]?.[0]).toMatch(/no atomic update/);
  });

  it("takes a read that the adapter failed for an error, where Keyv makes an absent entry of it", async () => {
    const adapter = plainAdapter();
    const keyv = new Keyv({ store: adapter });
    const store = await openStore(keyv as StoreKeyv, { timeoutMs: PATIENT_MS });
    await atomicUpdate(store, KEY, () => ({ a: 1 }));
    adapter.get = () => Promise.reject(new Error("the disk is on fire"));

    expect(await keyv.get(KEY)).toBeUndefined();
    await expect(readDocument(store, KEY)).rejects.toThrow(/the disk is on fire/);
    await expect(atomicUpdate(store, KEY, () => ({ fresh: true }))).rejects.toMatchObject({ code: "SQUAD_RATE_STORE" });
  });

  it("concludes nothing from a store that fails while it is proved", async () => {
    const adapter = plainAdapter();
    const { get } = adapter;
    const store = await openStore(new Keyv({ store: adapter }) as StoreKeyv, { timeoutMs: PATIENT_MS });
    adapter.get = () => Promise.reject(new Error("not now"));

    await expect(atomicUpdate(store, KEY, () => ({ a: 1 }))).rejects.toMatchObject({ code: "SQUAD_RATE_STORE" });
    expect(store.describe().atomicity).toBe("unproven");
    adapter.get = get;
    expect(await atomicUpdate(store, KEY, () => ({ a: 1 }))).toEqual({ a: 1, revision: 1 });
  });

  it("proves anew a store that did not answer while it was proved, and says what it has found once", async () => {
    const clock = createVirtualClock();
    const onWarning = vi.fn();
    const adapter = plainAdapter();
    const { set } = adapter;
    const hung: (() => void)[] = [];
    adapter.set = (...given) =>
      new Promise((resolve) => {
        hung.push(() => resolve(set(...given)));
      });
    const store = await openStore(new Keyv({ store: adapter }) as StoreKeyv, { clock, onWarning });
    const update = (): Promise<unknown> => clock.settle(atomicUpdate(store, KEY, () => ({ a: 1 })));

    await expect(update()).rejects.toThrow("no answer within 250 ms; the change was not made");
    await expect(update()).rejects.toThrow("no answer within 250 ms; the change was not made");
    expect(hung).toHaveLength(1);
    await clock.advance(2_000);
    adapter.set = set;
    expect(await update()).toEqual({ a: 1, revision: 1 });
    hung[0]?.();
    await clock.advance(2_000);
    expect(onWarning).toHaveBeenCalledOnce();
    expect(clock.pendingTimers).toBe(0);
  });

  it("leaves no timer when it is closed while it is proved", async () => {
    const clock = createVirtualClock();
    const adapter = { ...plainAdapter(), set: () => new Promise<void>(() => undefined) };
    const store = await openStore(new Keyv({ store: adapter }) as StoreKeyv, { clock });
    await expect(clock.settle(readDocument(store, KEY))).rejects.toMatchObject({ code: "SQUAD_RATE_STORE" });
    await clock.settle(store.close());
    expect(clock.pendingTimers).toBe(0);
  });

  it("leaves nothing of its probe behind", async () => {
    const entries = new Map<string, unknown>();
    const store = await openStore(new Keyv({ store: entries }) as StoreKeyv, { timeoutMs: PATIENT_MS });

    await readDocument(store, KEY);

    expect([...entries.keys()]).toEqual([]);
    expect(store.describe().atomicity).toBe("atomic");
  });

  it("lets a document expire on its clock", async () => {
    const clock = createVirtualClock();
    const store = await openStore("memory:", { clock });
    await atomicUpdate(store, KEY, () => ({ a: 1 }), { ttlMs: 1_000 });

    await clock.advance(999);
    expect(await readDocument(store, KEY)).toEqual({ a: 1, revision: 1 });
    await clock.advance(1);
    expect(await readDocument(store, KEY)).toBeUndefined();
    expect(await atomicUpdate(store, KEY, (current) => ({ had: current !== undefined }))).toEqual({
      had: false,
      revision: 2,
    });
  });

  it.each([0, 1.5, 60_001, Number.NaN])("refuses a timeout of %d ms", async (timeoutMs) => {
    await expect(openStore("memory:", { timeoutMs })).rejects.toMatchObject({ code: "SQUAD_RATE_OPTIONS" });
  });

  it.each(["other:key", "squad-rate:with space", `squad-rate:${"x".repeat(240)}`])(
    "refuses the key %s",
    async (key) => {
      const store = await openStore("memory:");

      await expect(atomicUpdate(store, key, () => ({}))).rejects.toMatchObject({ code: "SQUAD_RATE_OPTIONS" });
      await expect(readDocument(store, key)).rejects.toMatchObject({ code: "SQUAD_RATE_OPTIONS" });
    },
  );

  it("refuses what is neither a URI nor a Keyv", async () => {
    await expect(openStore({ get: async () => 1 } as never)).rejects.toThrow(/has no set\(\)/);
  });
});

describe("importPeer", () => {
  it("says what to install when an optional package is missing", async () => {
    const missing = importPeer("@keyv/redis", () => Promise.reject(new Error("Cannot find package")));

    await expect(missing).rejects.toMatchObject({
      code: "SQUAD_RATE_STORE",
      message: "This store needs the package @keyv/redis, which cannot be loaded.",
      remedy: "Install it beside octokit-plugin-squad-rate: npm install @keyv/redis",
    });
  });
});
