import Keyv from "keyv";
import { describe, expect, it, vi } from "vitest";
import { sleep } from "../../src/clock.js";
import { createUnreliableStore } from "../differential/unreliable-store.js";
import { recordEvents } from "../harness/record-events.js";
import { guardBench, PULLS_PATH } from "./guard-bench.js";

const HOUR_MS = 3_600_000;

/** A store with the document of a guard that one squad has produced, as it lies there. */
async function withDocument() {
  const map = new Map<string, string>();
  const bench = guardBench(new Keyv({ store: map }));
  bench.setPulls("one");
  const { clock } = bench;
  await clock.settle(bench.guarding().pulls(() => "made"));
  const [key = ""] = [...map.keys()].filter((name) => name.includes("squad-rate:guard:"));
  const stored = JSON.parse(map.get(key) as string);
  const produce = vi.fn(() => "made anew");
  return {
    ...bench,
    faults: recordEvents("squad-rate:fault"),
    produce,
    document: () => JSON.parse(map.get(key) as string).value,
    raw: () => map.get(key),
    forge: (text: string) => void map.set(key, text),
    /** Writes the document with `change` made to it. */
    change: (change: object) => void map.set(key, JSON.stringify({ ...stored, value: { ...stored.value, ...change } })),
    value: stored.value.value,
    ask: () => clock.settle(bench.guarding().pulls(produce)),
  };
}

describe("a guard's document in the store", () => {
  it("is what it is documented to be", async () => {
    const { document, clock, ask } = await withDocument();
    expect(document()).toEqual({
      kind: "guard",
      version: 1,
      revision: 2,
      value: { text: '"made"', signature: expect.stringMatching(/^[0-9a-f]{64}$/), producedAt: expect.any(Number) },
      producer: null,
    });
    expect(Math.abs(document().value.producedAt - clock.now())).toBeLessThan(1_000);
    expect(await ask()).toMatchObject({ value: "made", how: "unchanged" });
  });

  it.each([
    ["foreign", { kind: "quota" }],
    ["of a version that never was", { version: 0 }],
    ["without a value", { value: undefined }],
    ["with a value that is none", { value: 7 }],
    ["with a text that is none", { value: { text: 7, signature: "0".repeat(64), producedAt: 0 } }],
    [
      "with a text that is too long",
      { value: { text: " ".repeat(1_900_001), signature: "0".repeat(64), producedAt: 0 } },
    ],
    ["with a signature that is none", { value: { text: "1", signature: "<script>", producedAt: 0 } }],
    ["with a time that is none", { value: { text: "1", signature: "0".repeat(64), producedAt: "now" } }],
    ["with a producer that is none", { producer: "me" }],
    ["with a producer without a name", { producer: { id: "", until: 0 } }],
  ])("that is %s is replaced, and told of", async (_what, forged) => {
    const { change, ask, document, faults } = await withDocument();
    change(forged);
    expect(await ask()).toMatchObject({ value: "made anew", how: "produced" });
    expect(document()).toMatchObject({ kind: "guard", version: 1, value: { text: '"made anew"' }, producer: null });
    expect(faults[0]?.what).toMatch(/^a guarded value in the store is unreadable and will be replaced: document/);
  });

  it.each([
    ["text is not JSON", { text: "{" }],
    ["time is an hour ahead", { producedAt: Date.UTC(2030, 0, 1, 1) }],
    ["time is long past", { producedAt: 0 }],
    ["signature is another's", { signature: "0".repeat(64) }],
  ])("whose value's %s is not used, when the reads fail neither", async (_what, forged) => {
    const { change, ask, value, clock, github, guarding, produce } = await withDocument();
    change({ value: { ...value, ...forged } });
    if (!("signature" in forged)) {
      github.route(PULLS_PATH, { status: 500 });
      await expect(clock.settle(guarding().pulls(produce))).rejects.toMatchObject({ status: 500 });
      github.route(PULLS_PATH, { json: [{ title: "one" }] });
    }
    expect(await ask()).toMatchObject({ value: "made anew", how: "produced" });
  });

  it("whose claim lasts longer than any claim is not waited for", async () => {
    const { change, ask, clock } = await withDocument();
    change({ value: null, producer: { id: "0123456789ab", until: clock.now() + HOUR_MS } });
    const before = clock.monotonic();
    expect(await ask()).toMatchObject({ value: "made anew", how: "produced" });
    expect(clock.monotonic() - before).toBeLessThan(100);
  });

  it("of a later version is left as it is, and each process produces for itself", async () => {
    const { change, ask, raw, faults } = await withDocument();
    change({ version: 2 });
    const before = raw();
    expect(await ask()).toMatchObject({ value: "made anew", how: "produced" });
    expect(raw()).toBe(before);
    expect(faults[0]).toMatchObject({ cause: expect.stringMatching(/a later version of this package has written it/) });
  });

  it.each(["{", "[]", "7", '{"value":{"revision":0}}', ""])(
    "that is torn (%s) is left to the store's own rules, and each process produces for itself",
    async (text) => {
      const { forge, ask, raw, faults } = await withDocument();
      forge(text);
      expect(await ask()).toMatchObject({ value: "made anew", how: "produced" });
      expect(raw()).toBe(text);
      expect(faults[0]?.what).toBe("a guarded value is not shared: the store failed");
    },
  );

  it("may be forged by whoever can write to the store, as is documented", async () => {
    const { change, ask, value } = await withDocument();
    change({ value: { ...value, text: '{"__proto__":{"x":1}}' } });
    const { value: forged } = await ask();
    expect(Object.keys(forged as object)).toEqual(["__proto__"]);
    expect((forged as { x?: number }).x).toBeUndefined();
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe("a store that", () => {
  const set = () => {
    const bench = guardBench();
    bench.setPulls("one");
    const store = createUnreliableStore(bench.clock, () => undefined);
    return { ...bench, store, guarding: () => bench.guarding({ store, cache: { maxBytes: 1 } }) };
  };

  it.each(["throws", "hangs"] as const)(
    "%s from the start delays a production by its timeouts, and no more",
    async (mood) => {
      const { clock, store, guarding } = set();
      store.mood = mood;
      const { pulls } = guarding();
      const produce = vi.fn(() => 1);
      // The cache's own read of the store comes before.
      await clock.settle(pulls(produce));
      const before = clock.monotonic();
      expect(await clock.settle(pulls(produce))).toMatchObject({ how: "unchanged" });
      expect(clock.monotonic()).toBe(before);
      expect(before).toBeLessThanOrEqual(600);
      expect(produce).toHaveBeenCalledTimes(1);
    },
  );

  it.each(["throws", "hangs"] as const)("%s while it is produced loses nothing for who produces", async (mood) => {
    const { clock, store, guarding } = set();
    const { pulls } = guarding();
    const produce = () => sleep(clock, 5_000).then(() => "made");
    const call = pulls(produce);
    await clock.advance(2_000);
    store.mood = mood;
    expect(await clock.settle(call)).toMatchObject({ value: "made", how: "produced" });
    expect(await clock.settle(pulls(produce))).toMatchObject({ value: "made", how: "unchanged" });
  });

  it.each(["throws", "hangs"] as const)("%s while another is waited for lets who waits produce", async (mood) => {
    const { clock, store, guarding } = set();
    const never = () => new Promise(() => undefined);
    void guarding().pulls(never);
    await clock.advance(1_000);
    const produce = vi.fn(() => "made");
    const call = guarding().pulls(produce);
    await clock.advance(2_000);
    expect(produce).not.toHaveBeenCalled();
    store.mood = mood;
    await clock.advance(2_500);
    expect(await clock.settle(call)).toMatchObject({ value: "made", how: "produced" });
  });

  it("is too slow to say in time that it has granted a claim holds nobody up: the value lands all the same", async () => {
    const { clock, store, guarding } = set();
    store.mood = "slow";
    const produce = vi.fn(() => sleep(clock, 1_000).then(() => "made"));
    // It takes more than its 250 ms to find out what the store is, and to change a document in it.
    expect(await clock.settle(guarding().pulls(produce))).toMatchObject({ how: "produced" });
    await clock.advance(1_000);
    store.mood = "well";
    expect(await clock.settle(guarding().pulls(produce))).toMatchObject({ value: "made", how: "unchanged" });
    expect(produce).toHaveBeenCalledTimes(1);
  });

  it("throws gives no last value when the reads fail, and the read's error is what is told", async () => {
    const { clock, github, store, guarding } = set();
    store.mood = "throws";
    github.route(PULLS_PATH, { status: 500 });
    await expect(clock.settle(guarding().pulls(() => 1))).rejects.toMatchObject({ status: 500 });
  });
});
