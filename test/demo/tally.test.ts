import { describe, expect, it } from "vitest";
import { percentile, Tally, total } from "../../examples/demo/tally.js";

const answered = { result: "answered", free: false, durationMs: 10 } as const;
const refused = { result: "refused by GitHub", free: false, durationMs: 10 } as const;

describe("Tally", () => {
  it("knows the longest time that an agent has heard nothing, up to its end", () => {
    const tally = new Tally();
    tally.enrol("reviewer", 1, 1_000);

    tally.record("reviewer", { ...answered, atMs: 1_500 });
    tally.record("reviewer", { ...answered, atMs: 4_500 });
    tally.record("reviewer", { ...refused, atMs: 6_000 });
    expect(tally.agents[0]?.longestSilenceMs).toBe(3_000);

    tally.stop("reviewer", 9_500, false);
    expect(tally.agents[0]?.longestSilenceMs).toBe(5_000);
  });

  it("counts what was refused, but not how fast", () => {
    const tally = new Tally();
    tally.enrol("reviewer", 1, 0);

    tally.record("reviewer", { ...answered, free: true, atMs: 1 });
    tally.record("reviewer", { ...refused, atMs: 2 });

    expect(tally.agents[0]).toMatchObject({ free: 1, latenciesMs: [10] });
    expect(total(tally, "refused by GitHub")).toBe(1);
  });
});

describe("percentile", () => {
  it("is the value that so many do not exceed", () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);

    expect(percentile(values, 0.5)).toBe(50);
    expect(percentile(values, 0.95)).toBe(95);
    expect(percentile([7], 0.95)).toBe(7);
    expect(percentile([], 0.5)).toBeUndefined();
  });
});
