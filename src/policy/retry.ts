import { unsaidWaitMs } from "./cooldown.js";
import type { Priority } from "./light.js";
import { CALLS_PER_RETRY, type RetryBudget, spendRetry } from "./retry-budget.js";
import { retryDelayMs } from "./retry-windows.js";
import { formatDuration } from "./words.js";

/** What came of an attempt, as far as it decides whether to make another. */
export type RetryOutcome =
  | "ok"
  | "not-modified"
  | "redirect"
  /** A limit refused the request before anything was done. */
  | "primary-limit"
  | "secondary-limit"
  /** 5xx, or a GraphQL answer that says as much. */
  | "server-error"
  /** The query ran out of its time, which may have cost units. */
  | "graphql-timeout"
  /** No answer came, or not all of it. */
  | "network-error"
  /** 400, 401, 403 for lack of permission, 404, 410, 422, 451 and the like. */
  | "client-error"
  | "graphql-error"
  /** Too many nodes, or too much work. */
  | "query-too-large"
  /** The caller gave up. */
  | "aborted";

/** What {@link decideRetry} decides on. */
export interface RetryQuestion {
  /** A GraphQL mutation is a write. */
  readonly call: "read" | "graphql-query" | "write";
  readonly outcome: RetryOutcome;
  /** How many attempts have been made: 1 after the first. One that was never sent does not count. */
  readonly attempt: number;
  readonly priority: Priority;
  /** Octokit's `request.retries`, if the caller set it: how often to retry at most. Default: 3. */
  readonly requestRetries: number | undefined;
  /** How long GitHub asks to wait, if it does. */
  readonly retryAfterMs: number | undefined;
  /** After a refusal: how long the gates hold it back with everybody else, its place among them included. */
  readonly heldMs?: number | undefined;
  readonly budget: RetryBudget;
  /** The length of the resource's window. */
  readonly windowMs: number;
  /** From 0 to less than 1. */
  readonly random: number;
}

/** `budget` is what to keep. */
export type RetryDecision =
  | { readonly kind: "done"; readonly why: string }
  | { readonly kind: "again"; readonly afterMs: number; readonly budget: RetryBudget; readonly why: string };

const MOST_RETRIES = 3;
const MOST_RETRIES_OF_TIMEOUT = 1;

const WHAT_HAPPENED: Readonly<Record<RetryOutcome, string>> = {
  ok: "answered",
  "not-modified": "answered",
  redirect: "answered",
  "primary-limit": "the rate limit refused it",
  "secondary-limit": "a secondary limit refused it",
  "server-error": "the server failed",
  "graphql-timeout": "the query timed out, which may have cost units",
  "network-error": "no whole answer came",
  "client-error": "the request was turned down, and would be again",
  "graphql-error": "the answer has errors, and would have them again",
  "query-too-large": "the query asks for too much, and would again",
  aborted: "the caller gave up",
};

/**
 * Whether a call is tried again, and after how long.
 *
 * - What a limit refused was not done, so anything may be tried again, a write too.
 * - After a server's or a network's failure nobody knows what was done: reads and GraphQL queries only. A query that
 *   timed out is tried again once, whatever `request.retries` says, since each try may cost units.
 * - All else would end the same way again.
 *
 * At most three retries a call (or `request.retries`, where 0 means none), and after failures as many in all as the
 * process's {@link RetryBudget} allows. The wait is within the class's retry window, and that begins where GitHub's own
 * ends: after a refusal that does not say, in a minute or more. Where gates hold everybody back after a refusal, it is
 * theirs instead. Whether the call may wait so long is for the caller to see.
 *
 * @example
 * ```ts
 * decideRetry({ call: "read", outcome: "server-error", attempt: 1, priority: 1, requestRetries: undefined,
 *   retryAfterMs: undefined, budget: FULL_RETRY_BUDGET, windowMs: 3_600_000, random: 0.5 });
 * // { kind: "again", afterMs: 3_000, budget: { calls: 90 }, why: "the server failed; P1 tries again in 3 s, retry 1 of 3" }
 * ```
 */
export function decideRetry(question: RetryQuestion): RetryDecision {
  const { call, outcome, attempt, priority, requestRetries, windowMs } = question;
  const what = WHAT_HAPPENED[outcome];
  const possible = retriesAfter(outcome);
  if (possible === 0) return { kind: "done", why: what };
  if (call === "write" && !isLimit(outcome)) {
    return { kind: "done", why: `${what}; a write may have been done, and is not repeated` };
  }
  const most = Math.min(requestRetries ?? MOST_RETRIES, possible);
  if (!(attempt <= most)) return { kind: "done", why: `${what}; ${most} ${most === 1 ? "retry" : "retries"} at most` };
  // What was refused was not done, so that this is the call itself; and a whole burst may have been.
  const budget = isLimit(outcome) ? question.budget : spendRetry(question.budget);
  if (budget === undefined) {
    const share = 100 / CALLS_PER_RETRY;
    return { kind: "done", why: `${what}; ${share} % of this process's calls may be retries, and have been` };
  }
  const askedMs = Math.max(0, question.retryAfterMs ?? 0);
  // To be refused and told to come back at once makes no sense.
  const ownMs = isLimit(outcome) && askedMs === 0 ? unsaidWaitMs(attempt - 1) : askedMs;
  const afterMs = question.heldMs ?? ownMs + retryDelayMs(priority, attempt, windowMs, question.random);
  const asked = askedMs > 0 ? `, and GitHub asks for ${formatDuration(askedMs)}` : "";
  const why = `${what}${asked}; P${priority} tries again in ${formatDuration(afterMs)}, retry ${attempt} of ${most}`;
  return { kind: "again", afterMs, budget, why };
}

/** How often an outcome may be answered with a retry if the caller wishes. */
function retriesAfter(outcome: RetryOutcome): number {
  switch (outcome) {
    case "primary-limit":
    case "secondary-limit":
    case "server-error":
    case "network-error":
      return Number.POSITIVE_INFINITY;
    case "graphql-timeout":
      return MOST_RETRIES_OF_TIMEOUT;
    default:
      return 0;
  }
}

function isLimit(outcome: RetryOutcome): boolean {
  return outcome === "primary-limit" || outcome === "secondary-limit";
}
