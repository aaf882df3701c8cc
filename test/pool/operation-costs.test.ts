import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "../../src/clock.js";
import { SquadRateError } from "../../src/errors.js";
import { MAX_COST_UNITS } from "../../src/policy/operation-costs/cost.js";
import { MAX_OPERATIONS, type OperationCostsDocument } from "../../src/policy/operation-costs.js";
import { operationCostsKey } from "../../src/pool/keys.js";
import { lonelyOperationCosts } from "../../src/pool/lonely-operation-costs.js";
import { OperationCosts, type OperationCostsOptions } from "../../src/pool/operation-costs.js";
import { createVirtualClock, type VirtualClock } from "../../src/sim/virtual-clock.js";
import { FakeDocuments } from "./fake-documents.js";

const POOL = { host: "api.github.com", name: "user-7" };
const KEY = operationCostsKey(POOL);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const [VIEWER, PULLS, ISSUES] = [operation(1), operation(2), operation(3)];

interface Process {
  readonly costs: OperationCosts;
  readonly told: string[];
}

let clock: VirtualClock;
let store: FakeDocuments;
let processes = 0;

function operation(index: number): string {
  return index.toString(16).padStart(32, "0");
}

function startProcess(options: Partial<OperationCostsOptions> = {}): Process {
  const told: string[] = [];
  const costs = new OperationCosts({
    documents: store,
    pool: POOL,
    clock,
    time: { now: () => clock.now(), known: () => true, jumpMs: () => 0 },
    processId: `process-${++processes}`,
    report: (what, cause) => told.push(`${what}: ${(cause as Error).message}`),
    ...options,
  });
  return { costs, told };
}

function stored(): OperationCostsDocument | undefined {
  return store.values.get(KEY) as OperationCostsDocument | undefined;
}

/** How many calls of the operation the store knows of. */
function counted(of: string): number {
  return stored()?.costs[of]?.count ?? 0;
}

async function refresh({ costs }: Process): Promise<void> {
  costs.refresh();
  await clock.advance(10);
}

beforeEach(() => {
  clock = createVirtualClock();
  store = new FakeDocuments(clock);
});

describe("what an operation costs", () => {
  it("is unknown before anybody has sent it, and known here at once", () => {
    const { costs } = startProcess();
    expect(costs.expected(PULLS)).toBeUndefined();
    costs.learn(PULLS, 6);
    expect(costs.expected(PULLS)).toBe(6);
    expect(costs.expected(ISSUES)).toBeUndefined();
  });

  it("is known to a process that never sent it, once that has looked", async () => {
    const [one, other] = [startProcess(), startProcess()];
    one.costs.learn(PULLS, 6);
    await clock.advance(3_000);
    expect(other.costs.expected(PULLS)).toBeUndefined();
    await refresh(other);
    expect(other.costs.expected(PULLS)).toBe(6);
    expect(store.writes).toBe(1);
  });

  it("is what all have seen, also of what both have", async () => {
    const [one, other] = [startProcess(), startProcess()];
    one.costs.learn(PULLS, 10);
    await clock.advance(3_000);
    other.costs.learn(PULLS, 20);
    expect(other.costs.expected(PULLS)).toBe(20);
    await refresh(other);
    expect(other.costs.expected(PULLS)).toBe(13);
    await clock.advance(3_000);
    expect(stored()?.costs[PULLS]).toMatchObject({ units: 13, lastUnits: 20, count: 2 });
  });

  it("is learnt of digests only, and of charges that there can be", async () => {
    const { costs } = startProcess();
    costs.learn("query { viewer { login } }", 1);
    costs.learn("__proto__", 1);
    for (const units of [-1, Number.NaN, Number.POSITIVE_INFINITY, MAX_COST_UNITS + 1]) costs.learn(PULLS, units);
    expect(costs.expected(PULLS)).toBeUndefined();
    expect(clock.pendingTimers).toBe(0);
    await clock.settle(costs.close());
    expect(store.updates).toBe(0);
  });

  it("is forgotten when nobody has called it for a week", async () => {
    const { costs } = startProcess();
    costs.learn(PULLS, 6);
    await clock.advance(7 * DAY_MS);
    expect(costs.expected(PULLS)).toBe(6);
    await clock.advance(1);
    expect(costs.expected(PULLS)).toBeUndefined();
  });

  it("is remembered of the thousand operations that were seen last, and of twice as many at most", async () => {
    const { costs } = startProcess({ documents: undefined });
    const all = Array.from({ length: 5 * MAX_OPERATIONS }, (_, index) => operation(index));
    const known = (): readonly string[] => all.filter((of) => costs.expected(of) !== undefined);
    for (const [index, of] of all.entries()) {
      costs.learn(VIEWER, 2);
      costs.learn(of, 2);
      if (index % 500 === 0) {
        expect(known().length).toBeLessThanOrEqual(2 * MAX_OPERATIONS);
        await clock.advance(1);
      }
    }
    expect(known()).toEqual(expect.arrayContaining([VIEWER, ...all.slice(-MAX_OPERATIONS + 1)]));
  });
});

describe("a look at what others have learnt", () => {
  it("is taken at most once a minute, and writes nothing", async () => {
    const one = startProcess();
    for (let second = 0; second < 60; second++) {
      one.costs.refresh();
      await clock.advance(1_000);
    }
    expect([store.updates, store.writes]).toEqual([1, 0]);
    one.costs.refresh();
    expect(store.updates).toBe(2);
  });

  it("is not taken again while one is under way", async () => {
    store.answerAfterMs = 5 * MINUTE_MS;
    const one = startProcess();
    one.costs.refresh();
    await clock.advance(2 * MINUTE_MS);
    one.costs.refresh();
    expect(store.updates).toBe(1);
  });

  it("does not lose what is learnt while it is under way", async () => {
    const [one, other] = [startProcess(), startProcess()];
    one.costs.learn(PULLS, 6);
    await clock.advance(3_000);
    store.answerAfterMs = 1_000;
    other.costs.refresh();
    await clock.advance(500);
    other.costs.learn(PULLS, 6);
    other.costs.learn(ISSUES, 3);
    await clock.advance(1_000);
    expect([other.costs.expected(PULLS), other.costs.expected(ISSUES)]).toEqual([6, 3]);
    await clock.advance(5_000);
    expect([counted(PULLS), counted(ISSUES)]).toEqual([2, 1]);
  });

  it("finds news to be old, and leaves it for later", async () => {
    const [one, other] = [startProcess(), startProcess()];
    one.costs.learn(PULLS, 6);
    await clock.advance(3_000);
    other.costs.learn(PULLS, 6);
    await refresh(other);
    await clock.advance(9 * MINUTE_MS);
    expect(store.writes).toBe(1);
    await clock.advance(MINUTE_MS);
    expect([store.writes, counted(PULLS)]).toEqual([2, 2]);
  });

  it("is believed though this process does not know the time, and its clock is slow", async () => {
    const [one, other] = [
      startProcess(),
      startProcess({ time: { now: () => clock.now() - 30 * MINUTE_MS, known: () => false, jumpMs: () => 0 } }),
    ];
    one.costs.learn(PULLS, 6);
    await clock.advance(3_000);
    await refresh(other);
    expect([other.costs.expected(PULLS), other.told]).toEqual([6, []]);
  });
});

describe("a report", () => {
  it("is made two seconds after the first news, with all that came meanwhile", async () => {
    const { costs } = startProcess();
    costs.learn(PULLS, 6);
    await clock.advance(1_000);
    costs.learn(ISSUES, 3);
    expect(store.updates).toBe(0);
    await clock.advance(1_010);
    expect([store.updates, counted(PULLS), counted(ISSUES)]).toEqual([1, 1, 1]);
  });

  it("is made at most once a minute, however much is new", async () => {
    const { costs } = startProcess();
    for (let second = 0; second < 600; second++) {
      costs.learn(operation(second), 1 + (second % 7));
      await clock.advance(1_000);
    }
    expect(store.updates).toBe(10);
    expect(Object.keys(stored()?.costs ?? {}).length).toBeGreaterThan(500);
  });

  it("is made of an operation that has become dearer, and every ten minutes that nothing has changed", async () => {
    const { costs } = startProcess();
    costs.learn(PULLS, 6);
    await clock.advance(MINUTE_MS);
    const confirm = async (): Promise<void> => {
      for (let minute = 0; minute < 30; minute++) {
        costs.learn(PULLS, 6);
        await clock.advance(MINUTE_MS);
      }
    };
    await confirm();
    expect([store.updates, store.writes]).toEqual([3, 3]);
    costs.learn(PULLS, 9);
    await clock.advance(3_000);
    expect(stored()?.costs[PULLS]).toMatchObject({ units: 6.9, count: 32 });
  });

  it("is not made when there is nothing new, nor is there a timer", async () => {
    const { costs } = startProcess();
    costs.learn(PULLS, 6);
    await clock.advance(3_000);
    expect([store.writes, clock.pendingTimers]).toEqual([1, 0]);
    await clock.advance(DAY_MS);
    await refresh({ costs, told: [] });
    await clock.settle(costs.close());
    expect([store.updates, store.writes]).toEqual([2, 1]);
  });

  it("loses nothing when two are made at once, and what came during one is in the next", async () => {
    const [one, other] = [startProcess(), startProcess()];
    store.turnAfterMs = 50;
    store.answerAfterMs = 500;
    one.costs.learn(PULLS, 10);
    other.costs.learn(PULLS, 20);
    other.costs.learn(ISSUES, 3);
    await clock.advance(2_100);
    one.costs.learn(PULLS, 10);
    await clock.advance(1_000);
    expect([counted(PULLS), counted(ISSUES)]).toEqual([2, 1]);
    await clock.advance(10 * MINUTE_MS);
    expect(counted(PULLS)).toBe(3);
    for (const { costs, told } of [one, other]) {
      await clock.settle(costs.close());
      expect(told).toEqual([]);
    }
    expect(counted(PULLS)).toBe(3);
  });

  it("is of no time that nobody knows", async () => {
    let known = false;
    const { costs } = startProcess({ time: { now: () => clock.now(), known: () => known, jumpMs: () => 0 } });
    costs.learn(PULLS, 6);
    await clock.advance(5 * MINUTE_MS);
    expect(store.updates).toBe(0);
    known = true;
    await clock.advance(MINUTE_MS);
    expect(counted(PULLS)).toBe(1);
    known = false;
    costs.learn(PULLS, 6);
    await clock.settle(costs.close());
    expect(store.updates).toBe(1);
  });

  it("waits on a timer that does not keep the process alive", () => {
    const unrefs: unknown[] = [];
    const watched: Clock = {
      now: clock.now,
      monotonic: clock.monotonic,
      timer: (ms, callback, options) => {
        unrefs.push(options?.unref);
        return clock.timer(ms, callback, options);
      },
    };
    startProcess({ clock: watched }).costs.learn(PULLS, 6);
    expect(unrefs).toEqual([true]);
  });
});

describe("a store that fails", () => {
  it("loses nothing: what was learnt counts here, and is told when it answers again", async () => {
    const { costs, told } = startProcess();
    store.manner = "fails";
    costs.learn(PULLS, 6);
    await clock.advance(5 * MINUTE_MS);
    costs.learn(PULLS, 6);
    costs.learn(ISSUES, 3);
    expect([costs.expected(PULLS), costs.expected(ISSUES)]).toEqual([6, 3]);
    await clock.advance(3 * MINUTE_MS);
    expect(told).toEqual([
      "What GraphQL operations cost is not shared; this process goes on by what it has learnt itself: no route to host",
    ]);
    expect(store.updates).toBeLessThanOrEqual(8);
    store.manner = "answers";
    await clock.advance(3 * MINUTE_MS);
    expect([counted(PULLS), counted(ISSUES)]).toEqual([2, 1]);
  });

  it("is told of once each time", async () => {
    const one = startProcess();
    for (const manner of ["fails", "fails", "answers", "fails"] as const) {
      store.manner = manner;
      await refresh(one);
      await clock.advance(MINUTE_MS);
    }
    expect(one.told).toHaveLength(2);
  });

  it("counts a report once that it took without saying so", async () => {
    const { costs } = startProcess();
    store.manner = "loses the answer";
    costs.learn(PULLS, 6);
    await clock.advance(3_000);
    expect(counted(PULLS)).toBe(1);
    costs.learn(PULLS, 9);
    store.manner = "answers";
    await clock.advance(3 * MINUTE_MS);
    expect(stored()?.costs[PULLS]).toMatchObject({ units: 6.9, count: 2 });
    expect(costs.expected(PULLS)).toBe(7);
    await clock.settle(costs.close());
    expect(counted(PULLS)).toBe(2);
  });

  it("counts such a report once also when a look finds it before it is brought again", async () => {
    const { costs } = startProcess();
    store.manner = "loses the answer";
    costs.learn(PULLS, 6);
    await clock.advance(62_001);
    store.manner = "answers";
    costs.refresh();
    await clock.advance(10);
    expect(costs.expected(PULLS)).toBe(6);
    await clock.settle(costs.close());
    expect(counted(PULLS)).toBe(1);
  });

  it("loses nothing of a report that it did not take, though it hands out its document meanwhile", async () => {
    let known = true;
    const { costs } = startProcess({ time: { now: () => clock.now(), known: () => known, jumpMs: () => 0 } });
    store.manner = "fails";
    costs.learn(PULLS, 6);
    await clock.advance(10_000);
    store.manner = "answers";
    known = false;
    await clock.advance(MINUTE_MS);
    costs.refresh();
    await clock.advance(10);
    expect([store.updates, store.writes, costs.expected(PULLS)]).toEqual([2, 0, 6]);
    known = true;
    await clock.advance(MINUTE_MS);
    expect([counted(PULLS), costs.expected(PULLS)]).toEqual([1, 6]);
  });

  it("gets back what it has lost, and keeps what it has learnt since", async () => {
    const one = startProcess();
    one.costs.learn(PULLS, 6);
    await clock.advance(2 * MINUTE_MS);
    store.values.clear();
    const other = startProcess();
    other.costs.learn(ISSUES, 3);
    await clock.advance(3_000);
    expect([counted(PULLS), counted(ISSUES)]).toEqual([0, 1]);
    one.costs.learn(VIEWER, 1);
    await clock.advance(3_000);
    expect([counted(PULLS), counted(ISSUES), counted(VIEWER)]).toEqual([1, 1, 1]);
  });

  it.each([
    ["a later version's", { version: 2, revision: 1, updatedAt: 0, costs: {}, reports: [] }],
    ["a torn one", "{"],
    ["one with an impossible cost", { version: 1, revision: 1, updatedAt: 0, costs: { [PULLS]: -1 }, reports: [] }],
  ])("is left %s, and is not believed", async (_, value) => {
    store.values.set(KEY, value);
    const one = startProcess();
    await refresh(one);
    one.costs.learn(PULLS, 6);
    await clock.advance(5 * MINUTE_MS);
    expect(one.costs.expected(PULLS)).toBe(6);
    await clock.settle(one.costs.close());
    expect(store.values.get(KEY)).toBe(value);
    expect(one.told).toHaveLength(1);
    expect(one.told[0]).toContain("unreadable");
  });

  it("that was closed is no outage", async () => {
    store.manner = "fails";
    store.error = new SquadRateError("SQUAD_RATE_CLOSED", "The store is closed.");
    const one = startProcess();
    await refresh(one);
    expect(one.told).toEqual([]);
  });

  it("ends with all that was seen, each call once, however it behaves", async () => {
    const step = fc.record({
      process: fc.nat({ max: 2 }),
      operation: fc.nat({ max: 2 }),
      units: fc.integer({ min: 1, max: 9 }),
      manner: fc.constantFrom("answers", "answers", "fails", "loses the answer"),
      refresh: fc.boolean(),
      waitMs: fc.constantFrom(0, 1_500, 2_000, 62_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        clock = createVirtualClock();
        store = new FakeDocuments(clock);
        const all = [startProcess(), startProcess(), startProcess()];
        const charges = new Map<string, number[]>();
        for (const { process, operation: index, units, manner, refresh: looks, waitMs } of steps) {
          const of = operation(index);
          store.manner = manner;
          if (looks) all[process]?.costs.refresh();
          all[process]?.costs.learn(of, units);
          charges.set(of, [...(charges.get(of) ?? []), units]);
          await clock.advance(waitMs);
        }
        store.manner = "answers";
        // One that is under way may fail yet, and the one after it does not.
        await clock.advance(2 * MINUTE_MS);
        for (const { costs } of all) await clock.settle(costs.close());
        const fresh = startProcess();
        await refresh(fresh);
        for (const [of, units] of charges) {
          expect(counted(of)).toBe(units.length);
          expect(fresh.costs.expected(of)).toBeGreaterThanOrEqual(Math.min(...units));
          expect(fresh.costs.expected(of)).toBeLessThanOrEqual(Math.max(...units));
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("closing", () => {
  it("tells what is new at once, and ends the timer", async () => {
    const { costs } = startProcess();
    costs.learn(PULLS, 6);
    await clock.settle(costs.close());
    expect([store.updates, counted(PULLS), clock.pendingTimers]).toEqual([1, 1, 0]);
  });

  it("tells confirmations too, though the last report was just now", async () => {
    const { costs } = startProcess();
    costs.learn(PULLS, 6);
    await clock.advance(3_000);
    costs.learn(PULLS, 6);
    await clock.settle(costs.close());
    expect(counted(PULLS)).toBe(2);
  });

  it("tells what came while a report was under way", async () => {
    store.answerAfterMs = 1_000;
    const { costs } = startProcess();
    costs.learn(PULLS, 6);
    await clock.advance(2_500);
    costs.learn(PULLS, 6);
    const closed = costs.close();
    expect(costs.close()).toBe(closed);
    await clock.settle(closed);
    expect([store.updates, counted(PULLS)]).toEqual([2, 2]);
  });

  it("tells a report whose answer was lost, and then what came after it", async () => {
    const { costs } = startProcess();
    store.manner = "fails";
    costs.learn(PULLS, 6);
    await clock.advance(3_000);
    costs.learn(ISSUES, 3);
    store.manner = "answers";
    await clock.settle(costs.close());
    expect([counted(PULLS), counted(ISSUES)]).toEqual([1, 1]);
  });

  it("ends though the store fails, and asks for nothing any more", async () => {
    const { costs } = startProcess();
    store.manner = "fails";
    costs.learn(PULLS, 6);
    await clock.settle(costs.close());
    expect(store.updates).toBe(1);
    costs.learn(ISSUES, 3);
    costs.refresh();
    await clock.advance(DAY_MS);
    expect([store.updates, clock.pendingTimers, costs.expected(PULLS)]).toEqual([1, 0, 6]);
  });
});

describe("without a pool", () => {
  it("what was learnt counts here alone", async () => {
    const time = { now: () => clock.now(), known: () => true, jumpMs: () => 0 };
    const costs = lonelyOperationCosts("api.github.com", "app", clock, time);
    costs.refresh();
    costs.learn(PULLS, 6);
    expect([costs.expected(PULLS), costs.expected(ISSUES)]).toEqual([6, undefined]);
    expect(clock.pendingTimers).toBe(0);
    await costs.close();
  });
});
