import type { Priority } from "../light.js";
import type { PerClass } from "../share/quota-document.js";
import type { ClassAccount, SpenderState } from "./state.js";

/** A clock that an answer has set is right to half a second. */
const CLOCK_ERROR_MS = 1_000;

/**
 * An answer has told GitHub's time: the moments to wait for, and until when to spend, were named in that of a clock that
 * nobody had set. Nor is a window over that such a clock, or a document from the future, had taken for it: what headers say
 * of it is heard again. `now` is GitHub's time, epoch milliseconds.
 */
export function setClock(state: SpenderState, now: number): SpenderState {
  const account = (priority: Priority): ClassAccount => ({ ...state.classes[priority], retryAt: 0, deniedAt: 0 });
  const classes: PerClass<ClassAccount> = [account(0), account(1), account(2)];
  const previousResetAt = now < state.previousResetAt - CLOCK_ERROR_MS ? 0 : state.previousResetAt;
  return { ...state, previousResetAt, spendUntil: 0, tryStoreAt: 0, pacedUntil: 0, classes };
}
