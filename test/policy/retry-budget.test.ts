import fc from "fast-check";
import { expect, it } from "vitest";
import {
  BURST_RETRIES,
  CALLS_PER_RETRY,
  earnRetries,
  FULL_RETRY_BUDGET,
  type RetryBudget,
  spendRetry,
} from "../../src/policy/retry-budget.js";

/** How many retries a budget allows in a row. */
function retriesLeft(budget: RetryBudget): number {
  const next = spendRetry(budget);
  return next === undefined ? 0 : 1 + retriesLeft(next);
}

function afterCalls(count: number, budget: RetryBudget): RetryBudget {
  return Array.from({ length: count }).reduce<RetryBudget>(earnRetries, budget);
}

it("allows a quiet process ten retries, and then one in ten calls", () => {
  expect(retriesLeft(FULL_RETRY_BUDGET)).toBe(10);
  const empty: RetryBudget = { calls: 0 };
  expect(retriesLeft(afterCalls(9, empty))).toBe(0);
  expect(retriesLeft(afterCalls(10, empty))).toBe(1);
  expect(retriesLeft(afterCalls(35, empty))).toBe(3);
});

it("saves no more than ten up", () => {
  expect(afterCalls(100_000, FULL_RETRY_BUDGET)).toBe(FULL_RETRY_BUDGET);
  expect(retriesLeft(afterCalls(100_000, { calls: 0 }))).toBe(10);
});

it("makes at most a tenth of calls retries, over any stretch, but for the first ten", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 600 }), fc.nat(300), (retryWanted, from) => {
      let budget = FULL_RETRY_BUDGET;
      let calls = 0;
      let retries = 0;
      retryWanted.forEach((wanted, index) => {
        const next = wanted ? spendRetry(budget) : earnRetries(budget);
        budget = next ?? budget;
        if (index >= from && next !== undefined) wanted ? retries++ : calls++;
        expect(retries).toBeLessThanOrEqual(BURST_RETRIES + calls / CALLS_PER_RETRY);
        expect(budget.calls).toBeGreaterThanOrEqual(0);
      });
    }),
    { numRuns: 300 },
  );
});
