import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_COST_UNITS } from "../../../src/policy/operation-costs/cost.js";
import {
  applyObservations,
  type CostObservations,
  expectedUnits,
  followedBy,
  isNews,
  type OperationCost,
  observeCost,
} from "../../../src/policy/operation-costs.js";

const T0 = Date.UTC(2030, 0, 1);
const DAY_MS = 24 * 3_600_000;

function observed(units: number, now = T0): CostObservations {
  const seen = observeCost(units, now);
  if (seen === undefined) throw new Error(`${units} cannot be observed`);
  return seen;
}

/** What is known after calls that were charged so, one after the other. */
function learnt(charges: readonly number[], before?: OperationCost): OperationCost | undefined {
  return charges.reduce<OperationCost | undefined>((known, units) => applyObservations(known, observed(units)), before);
}

/** The same calls as one report. */
function together(charges: readonly number[]): CostObservations | undefined {
  const [first, ...rest] = charges.map((units) => observed(units));
  return first === undefined ? undefined : rest.reduce(followedBy, first);
}

const charge = fc.integer({ min: 0, max: 5_000 });
/** Few different ones, so that they repeat. */
const charges = fc.array(fc.oneof(charge, fc.integer({ min: 1, max: 3 })), { maxLength: 40 });
const someCharges = fc.array(fc.oneof(charge, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 40 });

describe("what a query is expected to cost", () => {
  it("is unknown before the first call, and what that was charged after it", () => {
    expect(expectedUnits(learnt([]), T0)).toBeUndefined();
    expect(learnt([51])).toEqual({ units: 51, lastUnits: 51, count: 1, seenAt: T0 });
    expect(expectedUnits(learnt([51]), T0)).toBe(51);
  });

  it("moves by three tenths of the way to what came last, and is reserved in whole units, rounded up", () => {
    expect(learnt([10, 20])?.units).toBe(13);
    expect(learnt([10, 20, 10])?.units).toBe(12.1);
    expect(expectedUnits(learnt([10, 20, 10]), T0)).toBe(13);
  });

  it("is at least one unit, also of calls that were not charged", () => {
    expect(expectedUnits(learnt([0, 0]), T0)).toBe(1);
  });

  it("is not one unit more for being a little above a whole number", () => {
    const near = { units: 3.009, lastUnits: 3, count: 9, seenAt: T0 };
    expect(expectedUnits(near, T0)).toBe(3);
    expect(expectedUnits({ ...near, units: 3.02 }, T0)).toBe(4);
  });

  it("is exactly what was charged twice in a row, whatever came before", () => {
    fc.assert(
      fc.property(charges, charge, (before, units) => {
        const known = learnt([...before, units, units]);
        expect(known?.units).toBe(units);
        expect(expectedUnits(known, T0)).toBe(Math.max(1, units));
      }),
    );
  });

  it("lies between the least and the most that was charged", () => {
    fc.assert(
      fc.property(someCharges, (all) => {
        const expected = expectedUnits(learnt(all), T0) as number;
        expect(expected).toBeGreaterThanOrEqual(Math.max(1, Math.min(...all)));
        expect(expected).toBeLessThanOrEqual(Math.max(1, Math.max(...all)));
      }),
    );
  });

  it("is forgotten after a week", () => {
    const known = learnt([5]);
    expect(expectedUnits(known, T0 + 7 * DAY_MS)).toBe(5);
    expect(expectedUnits(known, T0 + 7 * DAY_MS + 1)).toBeUndefined();
  });
});

describe("an observation", () => {
  it("is none when nothing can be charged so", () => {
    for (const units of [-1, -0.001, MAX_COST_UNITS + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(observeCost(units, T0)).toBeUndefined();
    }
    expect(observeCost(0, T0)).toBeDefined();
    expect(observeCost(MAX_COST_UNITS, T0)).toBeDefined();
  });

  it("is news when others would reserve something else by it, and else is none", () => {
    const [one, two] = [learnt([1]) as OperationCost, learnt([2]) as OperationCost];
    expect([isNews(undefined, one), isNews(one, two), isNews(two, learnt([2, 2]) as OperationCost)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(isNews(one, { ...one, units: 1.004, count: 9 })).toBe(false);
  });

  it("is of when the last call was answered, in whatever order they come", () => {
    const late = applyObservations(undefined, observed(1, T0 + 5));
    expect(applyObservations(late, observed(1, T0)).seenAt).toBe(T0 + 5);
    expect(followedBy(observed(1, T0 + 5), observed(1, T0)).seenAt).toBe(T0 + 5);
  });
});

describe("observations of one process, laid upon those of others", () => {
  it("make what having seen each of them makes", () => {
    fc.assert(
      fc.property(charges, someCharges, (others, own) => {
        const known = learnt(others);
        const laid = applyObservations(known, together(own) as CostObservations);
        const each = learnt(own, known) as OperationCost;
        expect(laid.units).toBeCloseTo(each.units, 4);
        expect({ ...laid, units: 0 }).toEqual({ ...each, units: 0 });
      }),
    );
  });

  it("may be put together in any way", () => {
    fc.assert(
      fc.property(charges, someCharges, someCharges, someCharges, (others, a, b, c) => {
        const [first, second, third] = [together(a), together(b), together(c)] as [
          CostObservations,
          CostObservations,
          CostObservations,
        ];
        const known = learnt(others);
        const left = applyObservations(known, followedBy(followedBy(first, second), third));
        const right = applyObservations(known, followedBy(first, followedBy(second, third)));
        const apart = applyObservations(applyObservations(known, first), followedBy(second, third));
        for (const other of [right, apart]) {
          expect(other.units).toBeCloseTo(left.units, 4);
          expect({ ...other, units: 0 }).toEqual({ ...left, units: 0 });
        }
      }),
    );
  });

  it("count on for ever without losing what can be counted", () => {
    const endless = { units: 1, lastUnits: 1, count: Number.MAX_SAFE_INTEGER, seenAt: T0 };
    expect(applyObservations(endless, observed(1)).count).toBe(Number.MAX_SAFE_INTEGER);
  });
});
