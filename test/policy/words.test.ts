import fc from "fast-check";
import { expect, it } from "vitest";
import { formatDuration } from "../../src/policy/words.js";

it.each([
  [-5, "0 s"],
  [0, "0 s"],
  [Number.NaN, "0 s"],
  [0.2, "1 ms"],
  [450, "450 ms"],
  [1_000, "1 s"],
  [2_001, "3 s"],
  [60_000, "1 min"],
  [680_000, "11 min 20 s"],
  [3_599_500, "1 h"],
  [3_900_000, "1 h 5 min"],
  [3_600_001, "1 h 1 min"],
  [86_399_000, "1 d"],
  [97_200_000, "1 d 3 h"],
  [Number.POSITIVE_INFINITY, "an unknown time"],
])("%d ms reads %j", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it("never promises less than the wait", () => {
  const unitMs: Record<string, number> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 1e9, noNaN: true }), (ms) => {
      const words = formatDuration(ms).split(" ");
      let said = 0;
      for (let index = 0; index < words.length; index += 2)
        said += Number(words[index]) * (unitMs[words[index + 1] ?? ""] ?? 0);
      expect(said).toBeGreaterThanOrEqual(ms);
      expect(said).toBeLessThanOrEqual(ms * 1.05 + 1_000);
    }),
    { numRuns: 10_000 },
  );
});
