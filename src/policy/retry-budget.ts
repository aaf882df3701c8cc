/** What a process may still retry. Plain data: begins as {@link FULL_RETRY_BUDGET}. */
export interface RetryBudget {
  /** Calls that no retry has been made for yet. */
  readonly calls: number;
}

/** At most 10 % of a process's calls are retries after failures, so that a service that fails is not asked twice as often for it. */
export const CALLS_PER_RETRY = 10;

/**
 * A process that has made few calls may retry this many all the same: three calls that fail at a script's beginning are
 * tried as often as any. It is also the most that is saved up, lest a day without failures pay for a storm.
 */
export const BURST_RETRIES = 10;

/** Where every process begins. */
export const FULL_RETRY_BUDGET: RetryBudget = Object.freeze({ calls: BURST_RETRIES * CALLS_PER_RETRY });

/** The budget after one more call, whatever becomes of it. A call's retries are not calls. */
export function earnRetries(budget: RetryBudget): RetryBudget {
  return budget.calls >= FULL_RETRY_BUDGET.calls ? FULL_RETRY_BUDGET : { calls: budget.calls + 1 };
}

/** The budget after one retry; `undefined` when it does not allow any. */
export function spendRetry(budget: RetryBudget): RetryBudget | undefined {
  return budget.calls < CALLS_PER_RETRY ? undefined : { calls: budget.calls - CALLS_PER_RETRY };
}
