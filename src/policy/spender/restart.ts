import type { Priority } from "../light.js";
import type { PerClass } from "../share/quota-document.js";
import type { ClassAccount, SpenderState } from "./state.js";

/**
 * Begins anew under another name, after the clocks jumped: what was granted may have run out long ago by GitHub's time,
 * and nobody here can tell. What the old name holds in the document comes back as a dead spender's does; calls in flight
 * and waiting calls come along, and so are counted by both for a while, which is the safe side.
 */
export function restart(state: SpenderState, spender: string): SpenderState {
  const account = (priority: Priority): ClassAccount => ({
    ...state.classes[priority],
    balance: 0,
    spent: 0,
    spentAhead: 0,
    sinceReport: 0,
    lastGrant: 0,
    retryAt: 0,
    deniedAt: 0,
    denials: 0,
  });
  const classes: PerClass<ClassAccount> = [account(0), account(1), account(2)];
  return {
    ...state,
    spender,
    window: undefined,
    stint: undefined,
    resetAt: undefined,
    previousResetAt: 0,
    spendUntil: 0,
    reportBy: 0,
    // The answer to a report under way belongs to the old name.
    reporting: false,
    reportId: state.reportId + 1,
    header: undefined,
    news: false,
    lost: false,
    failures: 0,
    tryStoreAt: 0,
    pacedUntil: 0,
    writtenOff: 0,
    classes,
  };
}
