import type { Priority } from "../policy/light.js";
import type { Denial } from "../policy/share.js";
import type { SpenderState } from "../policy/spender.js";
import { formatDuration } from "../policy/words.js";

/** What a wait for units is explained by. `now` is GitHub's time. */
export interface WaitFacts {
  readonly resource: string;
  readonly priority: Priority;
  readonly state: SpenderState;
  /** The pool's latest word to this class. */
  readonly denial: Denial | undefined;
  /** The pool's document is there, and cannot be read. */
  readonly unreadable: boolean;
  readonly now: number;
}

/** Why a call waits for the pool, in plain words with numbers. */
export function whyWait(facts: WaitFacts): string {
  return `${facts.resource}: ${reason(facts)}; P${facts.priority} waits`;
}

function reason(facts: WaitFacts): string {
  const { state, priority, denial, now } = facts;
  if (state.lost)
    return `${facts.unreadable ? "the pool's document cannot be read" : "the pool's store does not answer"}; ${pace(state, now)}`;
  const { retryAt } = state.classes[priority];
  if (denial === undefined || now >= retryAt) return "asking the pool for units";
  if (denial.probing) return "a call is on its way to find out how much of the window is used";
  return `${shortage(denial)}; ${whatNext(state, retryAt, now)}`;
}

function shortage({ limit, freeUnits, heldUnits, reservedForHiddenUnits, priority }: Denial): string {
  if (freeUnits <= 0) {
    const held = `all ${limit} units are spent`;
    if (reservedForHiddenUnits <= 0) return `${held} or held by other processes`;
    return `${held}, held by other processes or kept for use outside the pool (${reservedForHiddenUnits})`;
  }
  const kept = heldUnits > 0 && priority > 0 ? "more urgent work" : "calls that asked before";
  return `the ${freeUnits} of ${limit} units that are left are kept for ${kept}`;
}

function whatNext({ resetAt }: SpenderState, retryAt: number, now: number): string {
  const again = `asks again in ${formatDuration(retryAt - now)}`;
  if (resetAt === undefined || resetAt <= now) return again;
  const reset = `resets in ${formatDuration(resetAt - now)}`;
  return retryAt >= resetAt ? reset : `${reset}; ${again}`;
}

function pace({ header, pacedUntil }: SpenderState, now: number): string {
  const next = pacedUntil > now ? `, the next in ${formatDuration(pacedUntil - now)}` : "";
  if (header === undefined) return `a call goes now and then until GitHub shows its quota${next}`;
  const left = Math.max(0, header.limit - header.used);
  return `calls go at the pace at which the ${left} of ${header.limit} left would last${next}`;
}
