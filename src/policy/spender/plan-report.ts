import { PRIORITIES } from "../share/quota-document.js";
import { pace } from "./pace.js";
import type { ClassAccount, SpenderState } from "./state.js";
import { wantPerHour } from "./want.js";

const HOUR_MS = 3_600_000;

/** When to go to the store. */
export type ReportPlan =
  | { readonly kind: "now"; readonly why: "waiting" | "low" | "idle" | "news" | "heartbeat" | "lost" }
  | { readonly kind: "at"; readonly at: number }
  /** Not before something else happens: a call, an answer, the store's answer. */
  | { readonly kind: "never" };

/** More units are fetched in the background when no more than this part of the latest grant is left. */
const LOW_SHARE = 1 / 4;
/** And, when a report is made anyway, at this part. */
const TOP_UP_SHARE = 0.6;
/** Grants smaller than this are fetched when a call needs them: ahead of it they would only be kept from others. */
const FETCH_AHEAD_UNITS = 4;

/** After a denial nothing is fetched ahead for this part of a window. */
const AFTER_DENIAL_SHARE = 1 / 120;

/** Units that lie idle go back after this part of a window; a slow caller's after so many of its mean gaps, up to a limit. */
const IDLE_SHARE = 1 / 60;
const IDLE_GAPS = 3;
const LONGEST_IDLE_SHARE = 1 / 12;

/** When this spender should next report, if nothing else happens. */
export function planReport(state: SpenderState, now: number): ReportPlan {
  if (state.reporting || state.unmetered) return { kind: "never" };
  const planned = planWithStore(state, now);
  if (!state.lost) return planned;
  // A lost store is tried again by and by, whether or not a call waits: at their pace few calls ever do.
  const active = PRIORITIES.some((priority) => isActive(state, state.classes[priority], now));
  if (now >= state.tryStoreAt && (planned.kind === "now" || active)) return { kind: "now", why: "lost" };
  const plannedAt = planned.kind === "at" ? planned.at : planned.kind === "now" ? now : Number.POSITIVE_INFINITY;
  const storeAt = Math.max(state.tryStoreAt, active ? now : plannedAt);
  const at = Math.min(storeAt, pacedAt(state, now));
  return at === Number.POSITIVE_INFINITY ? { kind: "never" } : { kind: "at", at };
}

function isActive(state: SpenderState, own: ClassAccount, now: number): boolean {
  return own.waiting > 0 || wantPerHour(own.want, state.windowMs, now) > 0;
}

/** When the first of the waiting calls may go without the store. */
function pacedAt(state: SpenderState, now: number): number {
  let at = Number.POSITIVE_INFINITY;
  for (const priority of PRIORITIES) {
    const { waiting, firstUnits } = state.classes[priority];
    if (waiting === 0) continue;
    const paced = pace(state, priority, Math.max(1, firstUnits), now);
    at = Math.min(at, paced.kind === "wait" ? paced.at : now);
  }
  return at;
}

function planWithStore(state: SpenderState, now: number): ReportPlan {
  const valid = now < state.spendUntil;
  let at = Number.POSITIVE_INFINITY;
  let holds = false;
  for (const priority of PRIORITIES) {
    const own = state.classes[priority];
    if (valid && (own.balance > 0 || own.inFlight > 0)) holds = true;
    if (isShort(state, own, now)) {
      if (now >= own.retryAt) return { kind: "now", why: "waiting" };
      at = Math.min(at, own.retryAt);
    } else if (isLow(state, own, LOW_SHARE, now)) {
      const from = Math.max(own.retryAt, own.deniedAt + state.windowMs * AFTER_DENIAL_SHARE);
      if (now >= from) return { kind: "now", why: "low" };
      at = Math.min(at, from);
    }
    if (valid && own.balance > 0 && own.waiting === 0) {
      const idleAt = idleFrom(state, own, now);
      if (now >= idleAt) return { kind: "now", why: "idle" };
      at = Math.min(at, idleAt);
    }
  }
  if (state.news) return { kind: "now", why: "news" };
  if (holds) {
    if (now >= state.reportBy) return { kind: "now", why: "heartbeat" };
    at = Math.min(at, state.reportBy);
  }
  return at === Number.POSITIVE_INFINITY ? { kind: "never" } : { kind: "at", at };
}

/** Whether a report made now should ask for units for this class. */
export function asksFor(state: SpenderState, own: ClassAccount, now: number): boolean {
  if (now < own.retryAt) return false;
  return isShort(state, own, now) || (!isIdle(state, own, now) && isLow(state, own, TOP_UP_SHARE, now));
}

/** Whether what this class holds should go back to the pool. */
export function isIdle(state: SpenderState, own: ClassAccount, now: number): boolean {
  return own.waiting === 0 && now >= idleFrom(state, own, now);
}

/** A call waits that the balance does not pay. */
function isShort(state: SpenderState, own: ClassAccount, now: number): boolean {
  const balance = now < state.spendUntil ? own.balance : 0;
  return own.waiting > 0 && balance < Math.max(1, own.firstUnits);
}

function isLow(state: SpenderState, own: ClassAccount, share: number, now: number): boolean {
  if (own.lastGrant < FETCH_AHEAD_UNITS || now >= state.spendUntil) return false;
  return own.balance <= share * own.lastGrant && wantPerHour(own.want, state.windowMs, now) > 0;
}

function idleFrom(state: SpenderState, own: ClassAccount, now: number): number {
  const { windowMs } = state;
  const perMs = wantPerHour(own.want, windowMs, now) / HOUR_MS;
  const gapsMs = perMs > 0 ? Math.min(IDLE_GAPS / perMs, windowMs * LONGEST_IDLE_SHARE) : 0;
  return Math.max(own.usedAt, own.grantedAt) + Math.max(windowMs * IDLE_SHARE, gapsMs);
}
