import { describe, expect, it } from "vitest";
import { costTold } from "../../src/graphql/cost-told-in-answer.js";

const RESET = Date.UTC(2026, 2, 1, 12, 0, 5);
const VALUE = { cost: 2, limit: 5000, remaining: 4990, used: 10, resetAt: "2026-03-01T12:00:05Z", nodeCount: 325 };
const TOLD = { cost: 2, limit: 5000, remaining: 4990, used: 10, resetAt: RESET, nodeCount: 325 };
const NOTHING = { limit: undefined, remaining: undefined, used: undefined, resetAt: undefined, nodeCount: undefined };

describe("what a rateLimit in an answer tells", () => {
  it("is its counts, and the reset in epoch milliseconds", () => {
    expect(costTold(VALUE)).toEqual(TOLD);
    expect(costTold({ ...VALUE, more: 1 })).toEqual(TOLD);
  });

  it.each(["2026-03-01T12:00:05.000Z", "2026-03-01T14:00:05+02:00", "2026-03-01T04:00:05-0800"])(
    "has its reset at the same time when that is written %s",
    (resetAt) => {
      expect(costTold({ ...VALUE, resetAt })?.resetAt).toBe(RESET);
    },
  );

  it("lacks what the caller's own selection left out", () => {
    expect(costTold({ cost: 1 })).toEqual({ cost: 1, ...NOTHING });
    expect(costTold({ cost: 0, remaining: 0 })).toEqual({ cost: 0, ...NOTHING, remaining: 0 });
  });

  it.each([-1, 1.5, 1e9 + 1, Number.POSITIVE_INFINITY, Number.NaN, "2", null, true, [2], { cost: 2 }])(
    "lacks a count of %j",
    (odd) => {
      expect(costTold({ ...VALUE, remaining: odd })).toEqual({ ...TOLD, remaining: undefined });
      expect(costTold({ ...VALUE, cost: odd })).toBeUndefined();
    },
  );

  it.each([
    "",
    "soon",
    "2026",
    "2026-03-01",
    "2026-13-01T12:00:05Z",
    "1969-03-01T12:00:05Z",
    "March 1, 2026",
    1e12,
    null,
  ])("lacks a reset at %j", (odd) => {
    expect(costTold({ ...VALUE, resetAt: odd })).toEqual({ ...TOLD, resetAt: undefined });
  });

  it.each([null, undefined, 2, "2", [], [2], {}])("is nothing where it is %j", (value) => {
    expect(costTold(value)).toBeUndefined();
  });
});
