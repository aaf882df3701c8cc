import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CostObservations,
  type CostReport,
  expectedUnits,
  followedBy,
  MAX_OPERATIONS,
  mergeCosts,
  newestCosts,
  type OperationCost,
  type OperationCostsDocument,
  observeCost,
  parseOperationCosts,
  restoreCosts,
} from "../../../src/policy/operation-costs.js";

const T0 = Date.UTC(2030, 0, 1);
const DAY_MS = 24 * 3_600_000;

function key(index: number): string {
  return index.toString(16).padStart(32, "0");
}

function seen(...charges: readonly number[]): CostObservations {
  return charges.map((units) => observeCost(units, T0) as CostObservations).reduce(followedBy);
}

function report(id: string, observations: Readonly<Record<string, CostObservations>>): CostReport {
  return { id, observations: new Map(Object.entries(observations)) };
}

function reread(doc: OperationCostsDocument, now: number): OperationCostsDocument {
  const parsed = parseOperationCosts(JSON.parse(JSON.stringify(doc)), now);
  if (parsed.kind === "unreadable") throw new Error(parsed.why);
  return parsed.doc;
}

const FIRST = mergeCosts(undefined, report("a:1", { [key(1)]: seen(51), [key(2)]: seen(1, 1, 2) }), T0);

describe("a document of what operations cost", () => {
  it("begins with the first report", () => {
    expect(FIRST).toEqual({
      version: 1,
      revision: 1,
      updatedAt: T0,
      costs: {
        [key(1)]: { units: 51, lastUnits: 51, count: 1, seenAt: T0 },
        [key(2)]: { units: 1.3, lastUnits: 2, count: 3, seenAt: T0 },
      },
      reports: ["a:1"],
    });
  });

  it("takes each report once, however often it is brought", () => {
    const next = mergeCosts(FIRST, report("b:1", { [key(1)]: seen(51) }), T0);
    expect(next.costs[key(1)]?.count).toBe(2);
    expect(mergeCosts(next, report("b:1", { [key(1)]: seen(51) }), T0 + 1)).toBe(next);
    expect(mergeCosts(next, report("a:1", { [key(1)]: seen(51) }), T0 + 1)).toBe(next);
  });

  it("remembers the last 200 reports", () => {
    let doc: OperationCostsDocument | undefined;
    for (let index = 0; index < 250; index++) doc = mergeCosts(doc, report(`a:${index}`, { [key(1)]: seen(1) }), T0);
    expect([doc?.reports.length, doc?.reports[0], doc?.reports.at(-1)]).toEqual([200, "a:50", "a:249"]);
  });

  it("keeps the thousand operations that were seen last", () => {
    const many = Array.from({ length: MAX_OPERATIONS + 10 }, (_, index) => {
      const now = T0 + ((index * 7) % (MAX_OPERATIONS + 10));
      return [key(index), observeCost(1, now) as CostObservations] as const;
    });
    const doc = mergeCosts(undefined, report("a:1", Object.fromEntries(many)), T0 + DAY_MS);
    const times = Object.values(doc.costs).map(({ seenAt }) => seenAt - T0);
    expect([times.length, Math.min(...times), Math.max(...times)]).toEqual([MAX_OPERATIONS, 10, MAX_OPERATIONS + 9]);
    expect(JSON.stringify(doc).length).toBeLessThan(120_000);
  });

  it("forgets what nobody has called for a week", () => {
    const week = T0 + 7 * DAY_MS;
    const other = (now: number) => report("b:1", { [key(3)]: observeCost(1, now) as CostObservations });
    expect(Object.keys(mergeCosts(FIRST, other(week), week).costs).sort()).toEqual([key(1), key(2), key(3)]);
    expect(Object.keys(mergeCosts(FIRST, other(week + 1), week + 1).costs)).toEqual([key(3)]);
  });

  it("is readable to everybody, though the reporter's clock was set back after it had learnt", () => {
    const ahead = observeCost(5, T0 + DAY_MS) as CostObservations;
    const doc = mergeCosts(FIRST, report("b:1", { [key(1)]: ahead }), T0 + 10);
    expect(reread(doc, T0).costs[key(1)]).toMatchObject({ count: 2, seenAt: T0 + 10 });
  });

  it("holds what all processes saw, each once, in whatever order they report", () => {
    const charge = fc.integer({ min: 1, max: 60 });
    const turn = fc.record({
      process: fc.nat({ max: 4 }),
      operation: fc.nat({ max: 3 }),
      charges: fc.array(charge, { minLength: 1, maxLength: 5 }),
      again: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 40 }), (turns) => {
        let doc: OperationCostsDocument | undefined;
        const all = new Map<string, number[]>();
        turns.forEach(({ process, operation, charges, again }, index) => {
          const own = report(`${process}:${index}`, { [key(operation)]: seen(...charges) });
          doc = reread(mergeCosts(doc, own, T0 + index), T0 + index);
          if (again) doc = mergeCosts(doc, own, T0 + index);
          all.set(key(operation), [...(all.get(key(operation)) ?? []), ...charges]);
        });
        for (const [of, charges] of all) {
          const cost = doc?.costs[of] as OperationCost;
          expect(cost.count).toBe(charges.length);
          const expected = expectedUnits(cost, T0) as number;
          expect(expected).toBeGreaterThanOrEqual(Math.min(...charges));
          expect(expected).toBeLessThanOrEqual(Math.max(...charges));
        }
      }),
    );
  });
});

describe("a document that the store has lost", () => {
  const later = (id: string, at: number, ...of: readonly number[]): CostReport =>
    report(id, Object.fromEntries(of.map((index) => [key(index), observeCost(7, T0 + at) as CostObservations])));
  const remembered = mergeCosts(FIRST, later("a:2", 1, 1), T0 + 1);

  it("is the remembered one again, with a revision that says so", () => {
    for (const stored of [undefined, FIRST]) {
      expect(restoreCosts(stored, remembered)).toEqual({ ...remembered, revision: 3 });
    }
  });

  it("keeps what others have reported since, however often they have", () => {
    let since: OperationCostsDocument | undefined;
    for (let index = 0; index < 5; index++) since = mergeCosts(since, later(`c:${index}`, 5, 2, 9), T0 + 5);
    expect(restoreCosts(since, remembered)).toEqual({
      version: 1,
      revision: 6,
      updatedAt: T0 + 5,
      costs: { ...since?.costs, [key(1)]: remembered.costs[key(1)] },
      reports: ["a:1", "a:2", "c:0", "c:1", "c:2", "c:3", "c:4"],
    });
  });

  it("is not lost when the store has all that is remembered, or nothing is remembered", () => {
    expect(restoreCosts(remembered, FIRST)).toBe(remembered);
    expect(restoreCosts(remembered, remembered)).toBe(remembered);
    expect(restoreCosts(FIRST, undefined)).toBe(FIRST);
    expect(restoreCosts(undefined, undefined)).toBeUndefined();
  });

  it("is not lost when others have dropped what was too old, or had to make room", () => {
    const week = 7 * DAY_MS + 1;
    const muchLater = mergeCosts(FIRST, later("b:1", week, 1), T0 + week);
    expect(muchLater.costs[key(2)]).toBeUndefined();
    expect(restoreCosts(muchLater, FIRST)).toBe(muchLater);

    const others = Array.from({ length: MAX_OPERATIONS }, (_, index) => index + 10);
    const full = mergeCosts(FIRST, later("b:2", 5, ...others), T0 + 5);
    expect(full.costs[key(1)]).toBeUndefined();
    expect(restoreCosts(full, FIRST)).toBe(full);
  });
});

describe("newestCosts", () => {
  it("are the same, in the same order, for all who know the same", () => {
    const cost = (seenAt: number): OperationCost => ({ units: 1, lastUnits: 1, count: 1, seenAt });
    const entries = [
      [key(2), cost(T0)],
      [key(1), cost(T0)],
      [key(3), cost(T0 - 1)],
      [key(4), cost(T0 - 8 * DAY_MS)],
    ] as const;
    const sorted = [key(3), key(1), key(2)];
    expect(newestCosts(new Map(entries), T0).map(([of]) => of)).toEqual(sorted);
    expect(newestCosts(new Map([...entries].reverse()), T0).map(([of]) => of)).toEqual(sorted);
  });
});
