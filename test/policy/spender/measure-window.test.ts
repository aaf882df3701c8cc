import { describe, expect, it } from "vitest";
import { measuredWindowMs } from "../../../src/policy/spender.js";

const SENT_AT = Date.UTC(2030, 0, 1);
const HOUR_MS = 3_600_000;

describe("measuredWindowMs", () => {
  it.each([
    ["an hour, named by the second", 1, HOUR_MS - 873, HOUR_MS, HOUR_MS],
    ["two minutes where an hour was expected", 1, 119_400, HOUR_MS, 120_000],
    ["a minute with a slow answer", 1, 59_100, 60_000, 60_000],
    ["an hour where a minute was expected, though others opened it", 700, 2_000_000, 60_000, 2_000_000],
    ["nothing, when others opened it and it may be as expected", 700, 2_000_000, HOUR_MS, undefined],
    ["nothing, when it names a reset that is past", 1, -1_000, HOUR_MS, undefined],
    ["a day", 1, 24 * HOUR_MS, HOUR_MS, 24 * HOUR_MS],
    ["nothing, when it would be more than a day", 1, 24 * HOUR_MS + 10_000, HOUR_MS, undefined],
    ["nothing, when it still has more than a day to go", 700, 49 * HOUR_MS, HOUR_MS, undefined],
  ])("tells %s", (_, used, inMs, expectedMs, lengthMs) => {
    expect(measuredWindowMs({ used, resetAt: SENT_AT + inMs }, SENT_AT, expectedMs)).toBe(lengthMs);
  });
});
