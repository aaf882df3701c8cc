import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unsaidWaitMs } from "../../src/policy/cooldown.js";
import type { Priority } from "../../src/policy/light.js";
import { decideRetry, type RetryOutcome, type RetryQuestion } from "../../src/policy/retry.js";
import { earnRetries, FULL_RETRY_BUDGET, type RetryBudget } from "../../src/policy/retry-budget.js";
import { retryWindow } from "../../src/policy/retry-windows.js";

const HOUR_MS = 3_600_000;
const RUNS = { numRuns: 500 };
const CALLS = ["read", "graphql-query", "write"] as const;
const LIMITS = ["primary-limit", "secondary-limit"] as const;
const FAILURES = ["server-error", "graphql-timeout", "network-error"] as const;
const FINAL = [
  "ok",
  "not-modified",
  "redirect",
  "client-error",
  "graphql-error",
  "query-too-large",
  "aborted",
] as const;
const OUTCOMES: readonly RetryOutcome[] = [...LIMITS, ...FAILURES, ...FINAL];

function ask(overrides: Partial<RetryQuestion> = {}): RetryQuestion {
  return {
    call: "read",
    outcome: "server-error",
    attempt: 1,
    priority: 1,
    requestRetries: undefined,
    retryAfterMs: undefined,
    budget: FULL_RETRY_BUDGET,
    windowMs: HOUR_MS,
    random: 0.5,
    ...overrides,
  };
}

/** How often a call that always ends this way is retried. */
function retries(overrides: Partial<RetryQuestion>, attempt = 1): number {
  return decideRetry(ask({ ...overrides, attempt })).kind === "done" ? 0 : 1 + retries(overrides, attempt + 1);
}

function why(overrides: Partial<RetryQuestion>): string {
  return decideRetry(ask(overrides)).why;
}

describe("how often a call is retried", () => {
  it("is three times for reads and queries after a failure, once for a query that timed out, never for a write", () => {
    const times = CALLS.map((call) => FAILURES.map((outcome) => retries({ call, outcome })));
    expect(times).toEqual([
      [3, 1, 3],
      [3, 1, 3],
      [0, 0, 0],
    ]);
  });

  it("is three times for anything that a limit refused, writes too", () => {
    const times = CALLS.map((call) => LIMITS.map((outcome) => retries({ call, outcome })));
    expect(times).toEqual([
      [3, 3],
      [3, 3],
      [3, 3],
    ]);
  });

  it.each(FINAL)("is never after %s", (outcome) => {
    expect(CALLS.map((call) => retries({ call, outcome, requestRetries: 9 }))).toEqual([0, 0, 0]);
  });

  it("is what the caller's request.retries says, but once at most for a query that timed out", () => {
    expect(retries({ requestRetries: 0 })).toBe(0);
    expect(retries({ requestRetries: 7 })).toBe(7);
    expect(retries({ requestRetries: 0, outcome: "secondary-limit" })).toBe(0);
    expect(retries({ requestRetries: 7, call: "graphql-query", outcome: "graphql-timeout" })).toBe(1);
    expect(retries({ requestRetries: 7, call: "write" })).toBe(0);
    expect(retries({ requestRetries: Number.NaN })).toBe(0);
  });

  it("is as often as the process's budget allows", () => {
    expect(decideRetry(ask({ budget: { calls: 9 } })).kind).toBe("done");
    expect(decideRetry(ask({ budget: { calls: 10 } }))).toMatchObject({ kind: "again", budget: { calls: 0 } });
    // What a limit refused was not done yet, and a whole burst may have been.
    const refused = ask({ budget: { calls: 9 }, outcome: "secondary-limit" });
    expect(decideRetry(refused)).toMatchObject({ kind: "again", budget: { calls: 9 } });
  });
});

describe("how long a retry waits", () => {
  it("is within its class's window, longer by attempt", () => {
    const afterMs = [1, 2, 3].map((attempt) => decideRetry(ask({ attempt })));
    expect(afterMs).toMatchObject([{ afterMs: 3_000 }, { afterMs: 5_000 }, { afterMs: 9_000 }]);
    expect(decideRetry(ask({ windowMs: 60_000 }))).toMatchObject({ afterMs: 300 });
  });

  it("begins when GitHub's own wait is over", () => {
    expect(decideRetry(ask({ outcome: "secondary-limit", retryAfterMs: 60_000 }))).toMatchObject({ afterMs: 63_000 });
    expect(decideRetry(ask({ retryAfterMs: -5_000 }))).toMatchObject({ afterMs: 3_000 });
  });

  it("is a minute more, then two, then four, after a refusal that does not say, or says none", () => {
    const again = (attempt: number, retryAfterMs: number | undefined) =>
      decideRetry(ask({ outcome: "secondary-limit", attempt, retryAfterMs, random: 0 }));
    expect([again(1, undefined), again(1, 0)]).toMatchObject([{ afterMs: 62_000 }, { afterMs: 62_000 }]);
    expect([again(2, undefined), again(3, undefined)]).toMatchObject([{ afterMs: 122_000 }, { afterMs: 242_000 }]);
  });

  it("is the gates' where they hold everybody back", () => {
    const held = ask({ outcome: "secondary-limit", retryAfterMs: 60_000, heldMs: 77_000 });
    expect(decideRetry(held)).toMatchObject({ afterMs: 77_000, why: expect.stringContaining("in 1 min 17 s") });
  });
});

describe("the explanation", () => {
  it.each<[string, Partial<RetryQuestion>]>([
    ["answered", { outcome: "ok" }],
    ["the server failed; P1 tries again in 3 s, retry 1 of 3", {}],
    [
      "a secondary limit refused it, and GitHub asks for 1 min; P2 tries again in 1 min 13 s, retry 2 of 3",
      { outcome: "secondary-limit", call: "write", retryAfterMs: 60_000, priority: 2, attempt: 2 },
    ],
    [
      "no whole answer came; a write may have been done, and is not repeated",
      { outcome: "network-error", call: "write" },
    ],
    ["the server failed; 3 retries at most", { attempt: 4 }],
    [
      "the query timed out, which may have cost units; 1 retry at most",
      { outcome: "graphql-timeout", call: "graphql-query", attempt: 2 },
    ],
    ["the server failed; 10 % of this process's calls may be retries, and have been", { budget: { calls: 3 } }],
    ["the request was turned down, and would be again", { outcome: "client-error" }],
  ])("%s", (text, overrides) => {
    expect(why(overrides)).toBe(text);
  });
});

describe("any question", () => {
  const anyQuestion: fc.Arbitrary<RetryQuestion> = fc.record({
    call: fc.constantFrom(...CALLS),
    outcome: fc.constantFrom(...OUTCOMES),
    attempt: fc.integer({ min: 1, max: 8 }),
    priority: fc.constantFrom<Priority>(0, 1, 2),
    requestRetries: fc.option(fc.nat(8), { nil: undefined }),
    retryAfterMs: fc.option(fc.nat(HOUR_MS), { nil: undefined }),
    budget: fc.record({ calls: fc.nat(100) }),
    windowMs: fc.constantFrom(60_000, HOUR_MS),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });

  it("waits inside the class's window, counted from the end of GitHub's own wait", () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const decision = decideRetry(question);
        if (decision.kind === "done") return;
        const { fromMs, toMs } = retryWindow(question.priority, question.windowMs);
        const isLimit = question.outcome === "primary-limit" || question.outcome === "secondary-limit";
        const askedMs = question.retryAfterMs || (isLimit ? unsaidWaitMs(question.attempt - 1) : 0);
        expect(decision.afterMs).toBeGreaterThanOrEqual(askedMs + fromMs);
        expect(decision.afterMs).toBeLessThanOrEqual(askedMs + toMs);
      }),
      RUNS,
    );
  });

  it("retries a write only where a limit refused it, and what a read would not be retried for, nothing", () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const write = decideRetry({ ...question, call: "write" }).kind;
        const read = decideRetry({ ...question, call: "read" }).kind;
        if (write === "again") expect(LIMITS).toContain(question.outcome);
        if (read === "done") expect(write).toBe("done");
      }),
      RUNS,
    );
  });

  it("keeps a process whose every call fails to one retry in ten calls, but for the first ten", () => {
    const failing = fc.array(fc.constantFrom<RetryOutcome>(...FAILURES), { maxLength: 300 });
    fc.assert(
      fc.property(failing, (outcomes) => {
        let budget: RetryBudget = FULL_RETRY_BUDGET;
        let made = 0;
        for (const outcome of outcomes) {
          budget = earnRetries(budget);
          for (let attempt = 1; ; attempt++) {
            const decision = decideRetry(ask({ outcome, attempt, budget }));
            if (decision.kind === "done") break;
            budget = decision.budget;
            made++;
          }
        }
        expect(made).toBeLessThanOrEqual(10 + outcomes.length / 10);
        if (outcomes.length >= 20) expect(made).toBeGreaterThanOrEqual(outcomes.length / 10);
      }),
      RUNS,
    );
  });
});
