import type { Priority } from "../light.js";
import type { PerClass } from "../share/quota-document.js";
import type { ClassAccount, SpenderState } from "./state.js";

/**
 * An answer has told GitHub's time: the moments to wait for, and until when to spend, were named in that of a clock that
 * nobody had set.
 */
export function setClock(state: SpenderState): SpenderState {
  const account = (priority: Priority): ClassAccount => ({ ...state.classes[priority], retryAt: 0, deniedAt: 0 });
  const classes: PerClass<ClassAccount> = [account(0), account(1), account(2)];
  return { ...state, spendUntil: 0, tryStoreAt: 0, pacedUntil: 0, classes };
}
