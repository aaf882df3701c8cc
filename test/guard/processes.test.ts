import Keyv from "keyv";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sleep } from "../../src/clock.js";
import type { KeyvLike, StoreLike } from "../../src/options.js";
import { openStore } from "../../src/store/open-store.js";
import { type GuardBench, type Guarding, guardBench, PULLS_PATH } from "./guard-bench.js";

const STORES: readonly { readonly name: string; readonly open: () => Promise<KeyvLike | StoreLike> }[] = [
  { name: "a store in memory", open: () => openStore("memory:") },
  { name: "a Keyv", open: async () => new Keyv({ store: new Map() }) },
];

async function benchOn(open: () => Promise<KeyvLike | StoreLike>): Promise<GuardBench> {
  const bench = guardBench(await open());
  bench.setPulls("one");
  return bench;
}

describe.each(STORES)("four squads of one principal that share $name", ({ open }) => {
  let bench: GuardBench;
  let squads: readonly Guarding[];
  beforeEach(async () => {
    bench = await benchOn(open);
    squads = Array.from({ length: 4 }, () => bench.guarding());
  });

  it("have it produced by one of them, and share its value", async () => {
    const { clock, setPulls } = bench;
    let made = 0;
    const produce = () => sleep(clock, 2_000).then(() => ++made);
    const hows = async () => {
      const ends = await clock.settle(Promise.all(squads.map(({ pulls }) => pulls(produce))));
      return { hows: ends.map(({ how }) => how).sort(), values: new Set(ends.map(({ value }) => value)) };
    };
    expect(await hows()).toEqual({ hows: ["produced", "shared", "shared", "shared"], values: new Set([1]) });
    expect(await hows()).toEqual({ hows: Array(4).fill("unchanged"), values: new Set([1]) });
    setPulls("two");
    expect(await hows()).toEqual({ hows: ["produced", "shared", "shared", "shared"], values: new Set([2]) });
    expect(made).toBe(2);
  });

  it("find what another has produced before, for a free 304", async () => {
    const { clock, github } = bench;
    const produce = vi.fn(() => "made");
    for (const { pulls } of squads) await clock.settle(pulls(produce));
    await clock.advance(10_000);
    const fresh = bench.guarding();
    const outcome = await clock.settle(fresh.pulls(produce));
    expect(outcome).toMatchObject({ value: "made", how: "unchanged" });
    expect(Math.abs(outcome.ageMs - 10_000)).toBeLessThan(1_000);
    expect(produce).toHaveBeenCalledTimes(1);
    expect(github.statuses()).toEqual([200, 304, 304, 304, 304]);
  });

  it("produce in turn when the one that began has failed", async () => {
    const { clock } = bench;
    let begun = 0;
    const produce = async () => {
      const isFirst = ++begun === 1;
      await sleep(clock, 1_000);
      if (isFirst) throw new Error("the first fails");
      return "made";
    };
    const beganAt = clock.monotonic();
    const ends = await clock.settle(Promise.allSettled(squads.map(({ pulls }) => pulls(produce))));
    expect(clock.monotonic() - beganAt).toBeLessThan(4_000);
    expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(1);
    expect(begun).toBe(2);
  });

  it("go on without one that was closed, or whose process died, when its claim has run out", async () => {
    const { clock } = bench;
    const [dying, other] = squads as [Guarding, Guarding];
    void dying.pulls(() => new Promise(() => undefined));
    await clock.advance(20);
    void dying.squad.close();
    const produce = vi.fn(() => "made");
    const call = other.pulls(produce);
    await clock.advance(9_000);
    expect(produce).not.toHaveBeenCalled();
    await clock.advance(2_500);
    expect(produce).toHaveBeenCalledTimes(1);
    expect(await clock.settle(call)).toMatchObject({ value: "made", how: "produced" });
  });

  it("go on without one whose production has hung for five minutes", async () => {
    const { clock } = bench;
    const [hanging, other] = squads as [Guarding, Guarding];
    void hanging.pulls(() => new Promise(() => undefined));
    await clock.advance(300_000 - 100);
    const produce = vi.fn(() => "made");
    const call = other.pulls(produce);
    await clock.advance(5_000);
    expect(produce).not.toHaveBeenCalled();
    await clock.advance(7_000);
    expect(produce).toHaveBeenCalledTimes(1);
    await call;
  });

  it("wait for one that is slow but alive, for as long as they will", async () => {
    const { clock } = bench;
    const [slow, other, impatient] = squads as [Guarding, Guarding, Guarding];
    const produce = vi.fn(() => sleep(clock, 25_000).then(() => "made"));
    const calls = [slow.pulls(produce)];
    await clock.advance(20);
    calls.push(other.pulls(produce));
    const second = impatient.pulls(produce, { waitMs: 12_000 });
    await clock.advance(11_000);
    expect(produce).toHaveBeenCalledTimes(1);
    await clock.advance(1_500);
    expect(produce).toHaveBeenCalledTimes(2);
    const [first, shared] = await clock.settle(Promise.all(calls));
    expect(first).toMatchObject({ how: "produced" });
    expect(shared).toMatchObject({ how: "shared" });
    expect(await clock.settle(second)).toMatchObject({ how: "produced" });
  });

  it("give the last value as stale when another takes too long", async () => {
    const { clock, setPulls } = bench;
    const [first, second] = squads as [Guarding, Guarding];
    let begun = 0;
    const hangs = () => (++begun === 1 ? "old" : new Promise(() => undefined));
    await clock.settle(first.pulls(hangs));
    setPulls("two");
    void first.pulls(hangs);
    await clock.advance(20);
    const produce = vi.fn(() => "new");
    expect(await clock.settle(second.pulls(produce))).toMatchObject({ value: "old", how: "stale" });
    expect(produce).not.toHaveBeenCalled();
  });

  it("read again when the value that came is for another answer", async () => {
    const { clock, setPulls } = bench;
    const [first, second] = squads as [Guarding, Guarding];
    let made = 0;
    const produce = () => sleep(clock, 2_000).then(() => ++made);
    const early = first.pulls(produce);
    await clock.advance(20);
    setPulls("two");
    const late = second.pulls(produce);
    expect(await clock.settle(early)).toMatchObject({ value: 1, how: "produced" });
    expect(await clock.settle(late)).toMatchObject({ value: 2, how: "produced" });
    expect(await clock.settle(first.pulls(produce))).toMatchObject({ value: 2, how: "unchanged" });
  });

  it("are content with the last value when the answer changes faster than it can be produced", async () => {
    const { clock, setPulls } = bench;
    let version = 0;
    let made = 0;
    let isOver = false;
    const change = (): void => {
      setPulls(`version ${++version}`);
      if (!isOver) clock.timer(300, change);
    };
    change();
    const produce = () => sleep(clock, 1_000).then(() => ++made);
    const beganAt = clock.monotonic();
    const many = [...squads, ...Array.from({ length: 8 }, () => bench.guarding())];
    const inTurn = many.map(({ pulls }, index) => sleep(clock, 100 * index).then(() => pulls(produce)));
    const ends = await clock.settle(Promise.all(inTurn));
    isOver = true;
    expect(clock.monotonic() - beganAt).toBeLessThan(5_000);
    expect(made).toBeLessThanOrEqual(4);
    const hows = ends.map(({ how }) => how);
    expect(hows.filter((how) => how === "produced")).toHaveLength(made);
    expect(hows).toContain("stale");
  });

  it("give the last value of the principal when a read fails, though this process has none", async () => {
    const { clock, github } = bench;
    const [first, second] = squads as [Guarding, Guarding];
    await clock.settle(first.pulls(() => "made"));
    github.route(PULLS_PATH, { status: 503 });
    const produce = vi.fn(() => "never");
    expect(await clock.settle(second.pulls(produce))).toMatchObject({
      value: "made",
      how: "stale",
      cause: { status: 503 },
    });
    expect(produce).not.toHaveBeenCalled();
  });

  it("share nothing with another principal", async () => {
    const { clock } = bench;
    const [first] = squads as [Guarding];
    await clock.settle(first.pulls(() => "mine"));
    const other = bench.guarding({ token: "ghp_other" });
    expect(await clock.settle(other.pulls(() => "theirs"))).toMatchObject({ value: "theirs", how: "produced" });
    expect(await clock.settle(first.pulls(() => "mine"))).toMatchObject({ value: "mine", how: "unchanged" });
  });
});

describe("the store", () => {
  it("is asked once for a new value and not at all for an unchanged one", async () => {
    const store = await openStore("memory:");
    const bench = guardBench(store);
    bench.setPulls("one");
    const { pulls } = bench.guarding();
    const { clock } = bench;
    const update = vi.spyOn(store.updates, "update");
    const read = vi.spyOn(store.updates, "read");
    const produce = () => 1;
    await clock.settle(pulls(produce));
    expect([update.mock.calls.length, read.mock.calls.length]).toEqual([2, 0]);
    for (let poll = 0; poll < 100; poll++) await clock.settle(pulls(produce));
    expect([update.mock.calls.length, read.mock.calls.length]).toEqual([2, 0]);
  });

  it.each([
    { what: "with cache: { store: false }", options: { cache: { store: false } }, token: "ghp_a" },
    { what: "without a cache", options: { cache: false as const }, token: "ghp_a" },
    { what: "for an app that speaks for itself", options: {}, token: "eyJ.app.jwt" },
    { what: "for a value that is too long", options: {}, token: "ghp_a", long: true },
  ])("is not given values $what", async ({ options, token, long = false }) => {
    const map = new Map<string, unknown>();
    const bench = guardBench(new Keyv({ store: map }));
    bench.setPulls("one");
    const { clock } = bench;
    const produce = vi.fn(() => (long ? "the value ".repeat(200_000) : "the value"));
    const [first, second] = [bench.guarding({ ...options, token }), bench.guarding({ ...options, token })];
    await clock.settle(first.pulls(produce));
    await clock.settle(second.pulls(produce));
    expect(produce).toHaveBeenCalledTimes(2);
    expect(await clock.settle(first.pulls(produce))).toMatchObject({ how: "unchanged" });
    expect(JSON.stringify([...map])).not.toContain("the value");
  });

  it("holds a value no longer than maxAgeMs and the cache's storeTtlMs, and nothing that names what it is about", async () => {
    const map = new Map<string, string>();
    const bench = guardBench(new Keyv({ store: map }));
    bench.setPulls("one");
    const { clock } = bench;
    const { pulls, squad } = bench.guarding({ token: "ghp_secret", cache: { storeTtlMs: 60_000 } });
    await clock.settle(pulls(() => "made", { key: "private project" }));
    await clock.settle(pulls(() => "made", { key: "short", maxAgeMs: 5_000 }));
    await squad.close();
    const guards = [...map].filter(([key]) => key.includes("squad-rate:guard:"));
    expect(guards.map(([, text]) => JSON.parse(text).expires - clock.now())).toEqual([60_000, 5_000]);
    expect(JSON.stringify(guards)).not.toMatch(/ghp_|private|short|pulls|"o"|api\.github/);
  });
});
