import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factorAt, LEAST_FACTOR, RELAXED, type Tightening, tighten } from "../../../src/policy/secondary/tightening.js";

const T0 = Date.UTC(2030, 0, 1);
const MINUTE_MS = 60_000;
const state: fc.Arbitrary<Tightening> = fc.record({
  factor: fc.double({ min: LEAST_FACTOR, max: 1, noNaN: true }),
  at: fc.integer({ min: T0 - 3_600_000, max: T0 + 3_600_000 }),
});
const time = fc.integer({ min: T0 - 7_200_000, max: T0 + 7_200_000 });

describe("tightening", () => {
  it("leaves the limits alone until GitHub refuses without a known reason", () => {
    expect(factorAt(RELAXED, 0)).toBe(1);
    expect(factorAt(RELAXED, T0)).toBe(1);
  });

  it("halves with every such refusal, to a sixteenth, and takes a quarter of an hour to relax", () => {
    let tightened = RELAXED;
    for (const factor of [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 16]) {
      tightened = tighten(tightened, T0);
      expect(factorAt(tightened, T0)).toBe(factor);
    }
    expect(factorAt(tightened, T0 + MINUTE_MS)).toBe(2 / 16);
    expect(factorAt(tightened, T0 + 7.5 * MINUTE_MS)).toBe(8.5 / 16);
    expect(factorAt(tightened, T0 + 15 * MINUTE_MS)).toBe(1);
    expect(factorAt(tightened, T0 + 60 * MINUTE_MS)).toBe(1);
  });

  it("halves what it has risen to", () => {
    const first = tighten(RELAXED, T0);
    expect(tighten(first, T0 + 4 * MINUTE_MS)).toEqual({ factor: 6 / 16, at: T0 + 4 * MINUTE_MS });
  });

  it("takes a burst that is refused as one for one refusal", () => {
    const first = tighten(RELAXED, T0, T0 - 300);
    expect(tighten(first, T0 + 50, T0 - 250)).toBe(first);
    expect(tighten(first, T0 + 5_000, T0 - 1)).toBe(first);
    expect(tighten(first, T0 + 5_000, T0 + 4_000).factor).toBeLessThan(first.factor);
  });

  it("still hears of refusals when the clock has been set back", () => {
    const first = tighten(RELAXED, T0);
    expect(tighten(first, T0 - 3_600_000)).toEqual({ factor: 1 / 4, at: T0 - 3_600_000 });
  });

  it("is above 0 and at most 1, and only rises while nothing is refused, evenly", () => {
    fc.assert(
      fc.property(state, time, fc.nat(3_600_000), (tightened, now, laterMs) => {
        const factor = factorAt(tightened, now);
        const later = factorAt(tightened, now + laterMs);
        expect(factor).toBeGreaterThan(0);
        expect(factor).toBeLessThanOrEqual(1);
        expect(later).toBeGreaterThanOrEqual(factor);
        expect(later).toBeLessThanOrEqual(1);
        if (now >= tightened.at && later < 1) expect(later - factor).toBeCloseTo(laterMs / MINUTE_MS / 16, 9);
      }),
      { numRuns: 2_000 },
    );
  });

  it("halves, but for the floor, whatever came before", () => {
    fc.assert(
      fc.property(state, time, (tightened, now) => {
        const next = tighten(tightened, now);
        expect(next.at).toBe(now);
        expect(factorAt(next, now)).toBe(Math.max(LEAST_FACTOR, factorAt(tightened, now) / 2));
      }),
      { numRuns: 2_000 },
    );
  });
});
