import fc from "fast-check";
import { expect, it } from "vitest";
import { NameTally, TimeTally } from "../../../src/sim/fleet/times.js";

it("tells what sorting all times would", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 200 }), (all) => {
      const tally = new TimeTally();
      for (const ms of all) tally.add(ms);
      const sorted = [...all].sort((one, other) => one - other);
      const at = (share: number) => sorted[Math.floor(share * sorted.length)];
      expect(tally.times()).toEqual({
        count: all.length,
        meanMs: all.reduce((sum, ms) => sum + ms, 0) / all.length,
        p50Ms: at(0.5),
        p95Ms: at(0.95),
        p99Ms: at(0.99),
        maxMs: sorted.at(-1),
      });
    }),
  );
});

it("counts a time as often as it is said to be there, and tells zeros of none", () => {
  const tally = new TimeTally();
  expect(tally.times()).toEqual({ count: 0, meanMs: 0, p50Ms: 0, p95Ms: 0, p99Ms: 0, maxMs: 0 });
  tally.add(10, 99);
  tally.add(110);
  expect(tally.times()).toMatchObject({ count: 100, meanMs: 11, p50Ms: 10, p95Ms: 10, p99Ms: 110 });
});

it("counts names in order", () => {
  const tally = new NameTally();
  tally.add("b");
  tally.add("a", 2);
  tally.add("b");
  expect(JSON.stringify(tally.counts())).toBe('{"a":2,"b":2}');
});
