import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS, measure } from "./fleets.js";

const SEEDS = [11, 12, 13, 14, 15, 16];
const FLEETS = [
  [8, 5_000, HOUR_MS, 4],
  [20, 5_000, HOUR_MS, 4],
  [50, 5_000, HOUR_MS, 4],
  [8, 400, MINUTE_MS, 7],
  [8, 400, 10 * MINUTE_MS, 7],
  [8, 1_000, 10 * MINUTE_MS, 7],
  [8, 2_000, 2 * MINUTE_MS, 7],
] as const;

describe.each(FLEETS)("%i spenders on %i units in %i ms", (spenders, limit, windowMs, windows) => {
  const shape = { spenders, limit, windowMs, windows, killed: 2 };

  it("are refused nothing without hidden use", () => {
    const figures = measure(shape, SEEDS);
    expect(figures.refused).toBe(0);
    expect(figures.used).toBeGreaterThanOrEqual(0.98);
    if (limit / spenders >= 100) expect(figures.operationsPerRequest).toBeLessThanOrEqual(0.5);
  });

  it("keep to the bounds with 10 % hidden use", () => {
    const figures = measure({ ...shape, hidden: 0.1 }, SEEDS);
    expect(figures.refused).toBeLessThanOrEqual(0.001);
    expect(figures.used).toBeGreaterThanOrEqual(0.97);
    if (limit / spenders >= 100) expect(figures.operationsPerRequest).toBeLessThanOrEqual(0.5);
  });

  it("keep to them with clocks half a minute apart and wrong by half a second", () => {
    const clocks = { clockSkewMs: 30_000, clockErrorMs: 500, resetJitterMs: 1_000 };
    const figures = measure({ ...shape, hidden: 0.1 }, SEEDS, clocks);
    expect(figures.refused).toBeLessThanOrEqual(0.001);
    expect(figures.used).toBeGreaterThanOrEqual(0.97);
  });
});
