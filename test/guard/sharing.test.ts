import { describe, expect, it, vi } from "vitest";
import { sleep } from "../../src/clock.js";
import { openStore } from "../../src/store/open-store.js";
import { createUnreliableStore } from "../differential/unreliable-store.js";
import { type Guarding, guardBench, PULLS, PULLS_PATH, REPOSITORY } from "./guard-bench.js";

/** How many came about in which way. */
function tally(outcomes: readonly { readonly how: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { how } of outcomes) counts[how] = (counts[how] ?? 0) + 1;
  return counts;
}

function set() {
  const bench = guardBench();
  bench.setPulls("one");
  const guarding = bench.guarding();
  return { ...bench, ...guarding, guarding };
}

describe("twenty callers in one process", () => {
  it("have it produced once when something has changed", async () => {
    const { clock, github, setPulls, pulls } = set();
    let made = 0;
    const produce = async () => {
      await sleep(clock, 500);
      return ++made;
    };
    const all = () => clock.settle(Promise.all(Array.from({ length: 20 }, () => pulls(produce))));
    expect(tally(await all())).toEqual({ produced: 1, shared: 19 });
    expect(tally(await all())).toEqual({ unchanged: 20 });
    setPulls("one", "two");
    const outcomes = await all();
    expect(tally(outcomes)).toEqual({ produced: 1, shared: 19 });
    expect(outcomes.every(({ value }) => value === 2)).toBe(true);
    expect(github.statuses()).toEqual([200, 304, 200]);
  });

  it("all get the error of the one production, and the last value stays for when the read fails", async () => {
    const { clock, github, setPulls, pulls } = set();
    const produce = vi.fn(async () => "one");
    await clock.settle(pulls(produce));
    setPulls("two");
    produce.mockImplementation(() => sleep(clock, 100).then(() => Promise.reject(new Error("too many nodes"))));
    const ends = await clock.settle(Promise.allSettled(Array.from({ length: 20 }, () => pulls(produce))));
    expect(ends.every((end) => end.status === "rejected" && end.reason.message === "too many nodes")).toBe(true);
    expect(produce).toHaveBeenCalledTimes(2);
    github.route(PULLS_PATH, { status: 502 });
    expect(await clock.settle(pulls(produce))).toMatchObject({ value: "one", how: "stale" });
    setPulls("two");
    produce.mockImplementation(async () => "two");
    expect(await clock.settle(pulls(produce))).toMatchObject({ value: "two", how: "produced" });
  });

  it("get the error of a produce that throws at once", async () => {
    const { clock, pulls } = set();
    const produce = (): number => {
      throw new Error("at once");
    };
    await expect(clock.settle(pulls(produce))).rejects.toThrow("at once");
  });
});

describe("a caller that comes while an older state is being produced", () => {
  it("waits, reads again, and has its own produced: never is one from before its read taken for right", async () => {
    const { clock, setPulls, pulls } = set();
    let made = 0;
    const produce = async () => {
      const mine = ++made;
      await sleep(clock, 1_000);
      return mine;
    };
    const first = pulls(produce);
    await clock.advance(200);
    setPulls("two");
    const second = pulls(produce);
    await clock.advance(200);
    expect(made).toBe(1);
    expect(await clock.settle(first)).toMatchObject({ value: 1, how: "produced" });
    expect(await clock.settle(second)).toMatchObject({ value: 2, how: "produced" });
  });

  it("takes the last value as stale when its patience ends, and produces where there is none", async () => {
    const { clock, setPulls, pulls } = set();
    const ends: (() => void)[] = [];
    let made = 0;
    const produce = () => new Promise<number>((resolve) => ends.push(() => resolve(++made)));
    const never = pulls(produce);
    never.catch(() => undefined);
    await clock.advance(0);
    expect(ends).toHaveLength(1);
    setPulls("two");
    const impatient = pulls(produce, { waitMs: 5_000 });
    await clock.advance(4_999);
    expect(ends).toHaveLength(1);
    await clock.advance(1);
    expect(ends).toHaveLength(2);
    ends[1]?.();
    expect(await clock.settle(impatient)).toMatchObject({ value: 1, how: "produced" });
    setPulls("three");
    const hangs = pulls(produce);
    await clock.advance(0);
    expect(ends).toHaveLength(3);
    const stale = await clock.settle(pulls(produce, { waitMs: 2_000 }));
    expect(stale).toMatchObject({ value: 1, how: "stale", ageMs: 2_000 });
    expect(String(stale.cause)).toMatch(/whoever produces has not come to a value/);
    ends[2]?.();
    expect(await clock.settle(hangs)).toMatchObject({ value: 2, how: "produced" });
  });

  it("reads again when its answer was so long on its way that later news has come meanwhile", async () => {
    const { clock, github, setPulls, pulls, guarding } = set();
    let made = 0;
    const produce = () => ++made;
    github.route(PULLS_PATH, () => sleep(clock, 2_000).then(() => ({ json: [{ title: "one" }] })));
    const late = pulls(produce);
    await clock.advance(500);
    setPulls("two");
    // Another call of the same read would join the one under way.
    const bypass = { ...REPOSITORY, request: { squad: { cache: "bypass" } } };
    expect(await clock.settle(guarding.guard(PULLS, bypass, produce))).toMatchObject({ value: 1, how: "produced" });
    expect(await clock.settle(late)).toMatchObject({ value: 1, how: "shared" });
    expect(made).toBe(1);
  });

  it("goes on waiting when another's patience ends before its own", async () => {
    const bench = guardBench(await openStore("memory:"));
    bench.setPulls("one");
    const { clock } = bench;
    const produce = vi.fn(() => sleep(clock, 5_000).then(() => "made"));
    void bench.guarding().pulls(produce);
    await clock.advance(100);
    const { pulls, guard } = bench.guarding();
    const impatient = guard(PULLS, REPOSITORY, produce, { waitMs: 1_000 });
    await clock.advance(100);
    const patient = pulls(produce);
    await clock.advance(2_000);
    expect(produce).toHaveBeenCalledTimes(2);
    expect(await clock.settle(Promise.all([impatient, patient]))).toMatchObject([
      { how: "produced" },
      { how: "shared" },
    ]);
    expect(produce).toHaveBeenCalledTimes(2);
  });

  it("waits for nobody with waitMs 0, whoever produces", async () => {
    const { clock, setPulls, pulls } = set();
    const produce = () => sleep(clock, 1_000).then(() => "made");
    const first = pulls(produce);
    await clock.advance(0);
    const second = pulls(produce, { waitMs: 0 });
    await expect(clock.settle(second)).rejects.toThrow(/whoever produces has not come to a value .* waitMs is 0/);
    await clock.settle(first);
    setPulls("two");
    const third = pulls(produce);
    await clock.advance(0);
    expect(await clock.settle(pulls(produce, { waitMs: 0 }))).toMatchObject({ how: "stale" });
    await clock.settle(third);
  });

  it("starts anew after five minutes in which a production has hung", async () => {
    const { clock, pulls } = set();
    let begun = 0;
    const produce = () => (++begun === 1 ? new Promise<number>(() => undefined) : 2);
    pulls(produce).catch(() => undefined);
    await clock.advance(1_000);
    await expect(clock.settle(pulls(produce, { waitMs: 297_000 }))).rejects.toThrow(/waitMs is 297000/);
    expect(begun).toBe(1);
    await clock.advance(2_000);
    expect(await clock.settle(pulls(produce))).toMatchObject({ value: 2, how: "produced" });
    expect(await clock.settle(pulls(produce))).toMatchObject({ value: 2, how: "unchanged" });
  });

  it("does not let a production that comes late overtake a later one", async () => {
    const { clock, setPulls, pulls } = set();
    const ends: ((value: string) => void)[] = [];
    const produce = () => new Promise<string>((resolve) => ends.push(resolve));
    const slow = pulls(produce);
    await clock.advance(0);
    setPulls("two");
    const quick = pulls(produce, { waitMs: 0 });
    await clock.advance(1_000);
    ends[1]?.("later news");
    expect(await clock.settle(quick)).toMatchObject({ value: "later news" });
    await clock.advance(1_000);
    ends[0]?.("earlier news");
    expect(await clock.settle(slow)).toMatchObject({ value: "earlier news", how: "produced" });
    expect(await clock.settle(pulls(produce))).toMatchObject({ value: "later news", how: "unchanged" });
  });
});

describe("an abort", () => {
  const asked = ({ guard }: Guarding, produce: () => unknown, signal: AbortSignal) =>
    guard(PULLS, { ...REPOSITORY, request: { signal } }, produce);

  it("of one caller, the one that produces included, leaves the others their production", async () => {
    const bench = guardBench();
    bench.setPulls("one");
    const guarding = bench.guarding();
    const { clock } = bench;
    const produce = vi.fn(() => sleep(clock, 1_000).then(() => 1));
    const [first, third] = [new AbortController(), new AbortController()];
    const leading = asked(guarding, produce, first.signal);
    await clock.advance(100);
    const calls = [leading, guarding.pulls(produce), asked(guarding, produce, third.signal)];
    const ends = Promise.allSettled(calls);
    await clock.advance(500);
    first.abort(new Error("enough"));
    third.abort();
    await expect(calls[0]).rejects.toThrow("enough");
    await expect(calls[2]).rejects.toMatchObject({ name: "AbortError" });
    await clock.settle(ends);
    expect(await calls[1]).toMatchObject({ value: 1, how: "shared" });
    expect(produce).toHaveBeenCalledTimes(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it("of the only caller leaves the value to the next", async () => {
    const bench = guardBench();
    bench.setPulls("one");
    const guarding = bench.guarding();
    const { clock } = bench;
    const produce = vi.fn(() => sleep(clock, 1_000).then(() => 1));
    const abort = new AbortController();
    const call = asked(guarding, produce, abort.signal);
    call.catch(() => undefined);
    await clock.advance(500);
    abort.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    await clock.advance(500);
    expect(await clock.settle(guarding.pulls(produce))).toMatchObject({ value: 1, how: "unchanged" });
  });

  it("while the store is asked who produces has nothing produced, and leaves the claim to others", async () => {
    const bench = guardBench();
    bench.setPulls("one");
    const { clock } = bench;
    const store = createUnreliableStore(clock, () => undefined);
    const [aborting, other] = [bench.guarding({ store }), bench.guarding({ store })];
    const produce = vi.fn(() => 1);
    await clock.settle(other.pulls(produce, { key: "warm" }));
    store.mood = "slow";
    const abort = new AbortController();
    const call = asked(aborting, produce, abort.signal);
    call.catch(() => undefined);
    await clock.advance(90);
    expect(produce).toHaveBeenCalledTimes(1);
    abort.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    await clock.advance(2_000);
    expect(produce).toHaveBeenCalledTimes(1);
    store.mood = "well";
    const before = clock.monotonic();
    expect(await clock.settle(other.pulls(produce))).toMatchObject({ how: "produced" });
    expect(clock.monotonic() - before).toBeLessThan(1_000);
  });

  it("before or while it reads rejects with its reason, though there is a last value, and produces nothing", async () => {
    const bench = guardBench();
    bench.setPulls("one");
    const guarding = bench.guarding();
    const { clock, github } = bench;
    const produce = vi.fn(() => 1);
    await clock.settle(guarding.pulls(produce));
    const reason = new Error("enough");
    await expect(clock.settle(asked(guarding, produce, AbortSignal.abort(reason)))).rejects.toBe(reason);
    const release = github.hold();
    const abort = new AbortController();
    const call = asked(guarding, produce, abort.signal);
    call.catch(() => undefined);
    await clock.advance(100);
    abort.abort(reason);
    await expect(clock.settle(call)).rejects.toBe(reason);
    release();
    expect(produce).toHaveBeenCalledTimes(1);
  });

  it("by the signal of any of several reads ends the wait", async () => {
    const bench = guardBench();
    const { clock, github } = bench;
    for (const path of ["/a", "/b"]) github.route(path, { json: {} });
    const { guards } = bench.guarding();
    const abort = new AbortController();
    const call = guards([["GET /a"], ["GET /b", { request: { signal: abort.signal } }]], () => sleep(clock, 1_000));
    call.catch(() => undefined);
    await clock.advance(500);
    abort.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
  });
});
