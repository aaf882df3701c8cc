import type { Priority } from "./light.js";
import type { SeenQuota } from "./share/report.js";
import { TURNOVER_GUARD_MS } from "./share/windows.js";
import { pace } from "./spender/pace.js";
import { type SpenderState, type SpendTicket, withClass } from "./spender/state.js";
import { countWant } from "./spender/want.js";
import { RESET_TOLERANCE_MS } from "./window.js";

export { measuredWindowMs, measureWindow } from "./spender/measure-window.js";
export { planReport } from "./spender/plan-report.js";
export { adopt, beginReport, reportFailed } from "./spender/report.js";
export { restart } from "./spender/restart.js";
export { setClock } from "./spender/set-clock.js";
export {
  newSpender,
  type SpenderState,
  type SpendTicket,
} from "./spender/state.js";

/** Whether a call may be sent. `state` is what to keep, whichever kind it is. */
export type SpendOutcome =
  | { readonly kind: "go"; readonly state: SpenderState; readonly ticket: SpendTicket }
  /** `untilAt` (epoch milliseconds, GitHub's clock): when asking again can help if nothing else happens before. */
  | { readonly kind: "wait"; readonly state: SpenderState; readonly untilAt: number };

/** A report that is under way is answered, or given up, within about this long. */
const REPORT_MS = 250;

/** A call wants units. To be told once per call, before its first {@link spend}. */
export function arrive(state: SpenderState, priority: Priority, units: number, now: number): SpenderState {
  const own = state.classes[priority];
  return withClass(state, priority, {
    waiting: own.waiting + units,
    want: countWant(own.want, units, state.windowMs, now),
  });
}

/** A call that arrived will not spend: it was aborted, gave up, or was answered from a cache. */
export function leave(state: SpenderState, priority: Priority, units: number): SpenderState {
  return withClass(state, priority, { waiting: Math.max(0, state.classes[priority].waiting - units), firstUnits: 0 });
}

/**
 * Takes units for one call that has arrived, if it may be sent now. A call may spend what less urgent classes of its
 * process hold, never the other way round. While the store is lost and the balance is spent, calls are paced.
 *
 * `now` must be the later of GitHub's time by the wall clock and by the monotonic clock, so that neither a sleeping
 * process nor a clock set back spends units that are no longer its own.
 */
export function spend(state: SpenderState, priority: Priority, units: number, now: number): SpendOutcome {
  const own = state.classes[priority];
  if (state.unmetered) return go(state, priority, units, now, false);
  if (now < state.spendUntil) {
    if (own.balance >= units) return go(state, priority, units, now, true);
    const moved = takeFromBelow(state, priority, units - own.balance);
    if (moved !== undefined) return go(moved, priority, units, now, true);
  }
  const waiting = withClass(state, priority, { firstUnits: own.firstUnits > 0 ? own.firstUnits : units });
  if (!state.lost) return { kind: "wait", state: waiting, untilAt: Math.max(now + REPORT_MS, own.retryAt) };
  const paced = pace(state, priority, units, now);
  if (paced.kind === "wait") return { kind: "wait", state: waiting, untilAt: paced.at };
  return go({ ...state, pacedUntil: paced.pacedUntil }, priority, units, now, false);
}

/**
 * An exchange has ended. `charged`: what it cost, as far as anybody will ever know. `answered` is whether GitHub answered at
 * all; `header` what the answer's rate headers said, if it had any.
 *
 * The charge is booked in the window that the answer names. What a call did not cost goes back to the balance if it came
 * from there, and so never beyond what was granted.
 */
export function settle(
  state: SpenderState,
  ticket: SpendTicket,
  answer: { readonly answered: boolean; readonly charged: number; readonly header: SeenQuota | undefined },
  now: number,
): SpenderState {
  const { priority, units } = ticket;
  const { charged } = answer;
  const header = answer.header && { ...answer.header, sentAt: Math.min(ticket.sentAt, answer.header.at) };
  const heard = header === undefined ? state : hear(state, header, now);
  const own = state.classes[priority];
  const inFlight = Math.max(0, own.inFlight - units);
  const want = charged === units ? own.want : countWant(own.want, charged - units, state.windowMs, now);
  const silent = answer.answered && header === undefined && state.header === undefined;
  const next = { ...heard, unmetered: silent || (state.unmetered && header === undefined) };
  const where = header === undefined ? "here" : placeOf(state, header, now);
  if (where === "past") return withClass(next, priority, { inFlight, want });
  if (where === "ahead")
    return closeWindow(withClass(next, priority, { inFlight, want, spentAhead: own.spentAhead + charged }), now);
  // A call that cost more than was set aside takes the rest from what else is granted; a straddling one has no grant here.
  const refund = ticket.window === state.window && (ticket.granted || charged > units) ? units - charged : 0;
  return withClass(next, priority, { inFlight, want, spent: own.spent + charged, balance: own.balance + refund });
}

/**
 * A request that nobody answered cannot be charged any more, and every header to come has counted it if it was. Its units
 * are the pool's again, which is told how many came back so: not to the balance, or they would be spent twice.
 */
export function writeOff(state: SpenderState, { priority, units }: SpendTicket, now: number): SpenderState {
  const own = state.classes[priority];
  const next = withClass(state, priority, {
    inFlight: Math.max(0, own.inFlight - units),
    want: countWant(own.want, -units, state.windowMs, now),
  });
  return { ...next, writtenOff: state.writtenOff + units };
}

/**
 * Until when the newest header that this process has seen has counted everything, if it is of the window that the counts are of: one of the
 * next window may have counted what would be written off in this one. 0: there is none.
 */
export function countedUntil(state: SpenderState): number {
  return state.header === undefined || namesLaterWindow(state, state.header)
    ? 0
    : (state.header.sentAt ?? state.header.at);
}

function go(state: SpenderState, priority: Priority, units: number, now: number, granted: boolean): SpendOutcome {
  const own = state.classes[priority];
  const next = withClass(state, priority, {
    balance: granted ? own.balance - units : own.balance,
    inFlight: own.inFlight + units,
    waiting: Math.max(0, own.waiting - units),
    firstUnits: 0,
    usedAt: now,
    sinceReport: own.sinceReport + (granted ? units : 0),
  });
  return { kind: "go", state: next, ticket: { priority, units, window: state.window, granted, sentAt: now } };
}

/** Moves `missing` units up from less urgent classes, the least urgent first; undefined when they have not as many. */
function takeFromBelow(state: SpenderState, priority: Priority, missing: number): SpenderState | undefined {
  let next = state;
  let left = missing;
  for (const lower of [2, 1] as const) {
    if (lower <= priority) break;
    const take = Math.min(left, Math.max(0, next.classes[lower].balance));
    next = withClass(next, lower, { balance: next.classes[lower].balance - take });
    left -= take;
  }
  if (left > 0) return undefined;
  return withClass(next, priority, { balance: next.classes[priority].balance + missing });
}

/** GitHub has begun another window, whatever the clocks say: nothing of this one is spent or asked for any more. */
function closeWindow(state: SpenderState, now: number): SpenderState {
  const retryAt = (state.resetAt ?? now) + TURNOVER_GUARD_MS;
  const [a, b, c] = state.classes;
  const classes: SpenderState["classes"] = [
    { ...a, retryAt },
    { ...b, retryAt },
    { ...c, retryAt },
  ];
  return { ...state, spendUntil: Math.min(state.spendUntil, now), classes };
}

/** By this much before its end a window may be over by GitHub's clock; until then an answer that names a later one errs. */
const EDGE_MS = 5_000;

function placeOf(state: SpenderState, header: SeenQuota, now: number): "past" | "here" | "ahead" {
  if (header.resetAt <= state.previousResetAt + RESET_TOLERANCE_MS) return "past";
  return namesLaterWindow(state, header) && !isEarly(state, now) ? "ahead" : "here";
}

function namesLaterWindow({ resetAt }: SpenderState, header: SeenQuota): boolean {
  return resetAt !== undefined && header.resetAt > resetAt + RESET_TOLERANCE_MS;
}

/** A credential may be seen in two windows at a time; the one that is known goes on to its end. */
function isEarly({ resetAt }: SpenderState, now: number): boolean {
  return resetAt !== undefined && now < resetAt - EDGE_MS;
}

/** Keeps the newest window's strictest header. The first of a window that nobody has seen open is news. */
function hear(state: SpenderState, header: SeenQuota, now: number): SpenderState {
  if (header.resetAt <= state.previousResetAt + RESET_TOLERANCE_MS) return state;
  if (namesLaterWindow(state, header) && isEarly(state, now)) return state;
  const kept = state.header;
  // What a lost store's first calls were sent to find out is known now.
  const pacedUntil = kept === undefined ? 0 : state.pacedUntil;
  const counts = kept !== undefined && kept.used >= 1 && kept.resetAt > state.previousResetAt + RESET_TOLERANCE_MS;
  if (header.used < 1) {
    // Its reset is one window ahead of every answer: a word on what is left, while no charge has opened the window.
    if (counts || state.resetAt !== undefined) return state;
    return { ...state, header, news: state.news || kept === undefined, pacedUntil };
  }
  const same = counts && Math.abs(header.resetAt - kept.resetAt) <= RESET_TOLERANCE_MS;
  if (counts && (same ? header.used < kept.used : header.resetAt < kept.resetAt)) return state;
  const newest = same ? { ...header, ...newestTimes(header, kept) } : header;
  if (state.window === undefined || state.resetAt !== undefined) return { ...state, header: newest, pacedUntil };
  const spendUntil = Math.min(state.spendUntil, header.resetAt);
  return { ...state, header: newest, news: state.news || !same, resetAt: header.resetAt, spendUntil, pacedUntil };
}

function newestTimes(one: SeenQuota, other: SeenQuota): Required<Pick<SeenQuota, "at" | "sentAt">> {
  const sentAt = Math.max(one.sentAt ?? one.at, other.sentAt ?? other.at);
  return { at: Math.max(one.at, other.at), sentAt };
}
