import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Histogram } from "../../src/report/histogram.js";

/** The smallest value that so many percent of all do not exceed. */
function exact(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] as number;
}

describe("Histogram", () => {
  it("gives percentiles within one percent of the exact ones", () => {
    const duration = fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0.001, max: 2.5e9, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(duration, { minLength: 1, maxLength: 300 }), (values) => {
        const histogram = new Histogram();
        for (const value of values) histogram.add(value);
        const { count, maxMs, p50Ms, p95Ms, p99Ms } = histogram.percentiles() as NonNullable<
          ReturnType<Histogram["percentiles"]>
        >;
        expect(count).toBe(values.length);
        expect(maxMs).toBe(Math.max(...values));
        for (const [share, got] of [
          [0.5, p50Ms],
          [0.95, p95Ms],
          [0.99, p99Ms],
        ] as const) {
          const wanted = exact(values, share);
          expect(Math.abs(got - wanted)).toBeLessThanOrEqual(0.01 * wanted);
        }
      }),
    );
  });

  it("has nothing to say of nothing", () => {
    expect(new Histogram().percentiles()).toBeUndefined();
  });
});
