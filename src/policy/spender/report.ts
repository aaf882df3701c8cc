import type { Priority } from "../light.js";
import type { PerClass } from "../share/quota-document.js";
import type { ClassReport, ShareGrant, ShareMode, ShareReport } from "../share/report.js";
import { RESET_TOLERANCE_MS } from "../window.js";
import { asksFor, isIdle } from "./plan-report.js";
import type { ClassAccount, SpenderState } from "./state.js";
import { wantPerHour } from "./want.js";

/** What {@link beginReport} needs to know besides the state. */
export interface ReportTerms {
  /** Whether `now` is GitHub's time, by a `Date` header. */
  readonly clockKnown: boolean;
  readonly mode: ShareMode;
  /** Until when nobody may send, after a secondary refusal; 0 where none is known. Passed on to the others. */
  readonly blockedUntil?: number;
  /** The last report: everything unspent goes back and the lease ends. Nothing may be in flight. */
  readonly closing?: boolean;
}

/**
 * Makes a report and marks it as under way. What idle classes hold is given up before it is told, so that it cannot be
 * spent while the report travels.
 */
export function beginReport(
  state: SpenderState,
  now: number,
  terms: ReportTerms,
): { readonly state: SpenderState; readonly report: ShareReport } {
  const closing = terms.closing ?? false;
  const accounts = each((priority): ClassAccount => {
    const own = state.classes[priority];
    const returned = closing || isIdle(state, own, now);
    return {
      ...own,
      balance: returned ? 0 : Math.max(0, own.balance),
      lastGrant: returned ? 0 : own.lastGrant,
      sinceReport: 0,
    };
  });
  const report: ShareReport = {
    spender: state.spender,
    windowMs: state.windowMs,
    windowMeasured: state.windowMeasured,
    limit: state.header?.limit,
    clockKnown: terms.clockKnown,
    requestTimeoutMs: state.requestTimeoutMs,
    window: state.window,
    stint: state.stint,
    classes: each((priority) => classReport(state, accounts[priority], now)),
    madeAt: now,
    spendUntil: state.spendUntil,
    writtenOff: state.writtenOff,
    header: state.header,
    mode: terms.mode,
    blockedUntil: terms.blockedUntil ?? 0,
    closing,
  };
  const next = {
    ...state,
    classes: accounts,
    reporting: true,
    reportId: state.reportId + 1,
    reportedAt: now,
    news: false,
  };
  return { state: next, report };
}

/**
 * Takes in the pool's answer to report `reportId`; an answer to another report changes nothing (its units are the pool's
 * again with the next report). Calls sent while it travelled are taken off what it brings.
 */
export function adopt(state: SpenderState, reportId: number, grant: ShareGrant, now: number): SpenderState {
  if (!state.reporting || state.reportId !== reportId) return state;
  const restarted = grant.kind === "restarted";
  const turned = restarted && grant.window !== state.window;
  const classes = each((priority): ClassAccount => {
    const own = state.classes[priority];
    const units = grant.units[priority];
    const retryAt = grant.retryAt[priority];
    const denied = retryAt !== undefined;
    const account: ClassAccount = {
      ...own,
      balance: restarted ? units - own.sinceReport : own.balance + units,
      lastGrant: units > 0 ? units : restarted ? 0 : own.lastGrant,
      grantedAt: units > 0 ? now : own.grantedAt,
      // A class that did not ask has been told nothing new, unless the window is.
      retryAt: retryAt ?? (units > 0 || turned ? 0 : own.retryAt),
      deniedAt: denied ? now : own.deniedAt,
      denials: denied ? own.denials + 1 : Math.max(0, own.denials - (units > 0 ? 1 : 0)),
    };
    return restarted ? { ...account, spent: turned ? own.spentAhead : 0, spentAhead: 0 } : account;
  });
  return {
    ...state,
    reporting: false,
    lost: false,
    failures: 0,
    window: grant.window,
    stint: grant.stint,
    windowMs: state.windowMeasured ? state.windowMs : grant.windowMs,
    resetAt: grant.resetAt,
    previousResetAt: grant.previousResetAt,
    spendUntil: grant.spendUntil,
    reportBy: grant.reportBy,
    share: grant.share,
    unheld: grant.unheld,
    writtenOff: restarted ? writtenOffBefore(state, grant) : state.writtenOff,
    classes,
  };
}

/**
 * What begins anew is no longer counted by anybody. Where it may have been charged in the window that begins, or goes on,
 * it is as if it had been written off.
 */
function writtenOffBefore(state: SpenderState, grant: ShareGrant): number {
  const { resetAt, window, classes, writtenOff } = state;
  const isOver = resetAt !== undefined && resetAt <= grant.previousResetAt + RESET_TOLERANCE_MS;
  if (window !== grant.window && isOver) return 0;
  return writtenOff + classes[0].spent + classes[1].spent + classes[2].spent;
}

/** How soon a store that failed is tried again; doubles with every failure in a row. */
const FIRST_TRY_MS = 1_000;
const LONGEST_TRY_MS = 15_000;

/**
 * The store did not answer report `reportId` in time, or its document cannot be read: once the balance is spent, the
 * spender paces itself until a report is answered again.
 */
export function reportFailed(state: SpenderState, reportId: number, now: number): SpenderState {
  if (!state.reporting || state.reportId !== reportId) return state;
  const tryStoreAt = now + Math.min(FIRST_TRY_MS * 2 ** Math.min(state.failures, 10), LONGEST_TRY_MS);
  return { ...state, reporting: false, lost: true, failures: state.failures + 1, tryStoreAt };
}

function classReport(state: SpenderState, own: ClassAccount, now: number): ClassReport {
  return {
    spent: own.spent,
    inFlight: own.inFlight,
    balance: own.balance,
    spentAhead: own.spentAhead,
    wantPerHour: wantPerHour(own.want, state.windowMs, now),
    waiting: own.waiting,
    firstUnits: own.waiting > 0 ? Math.max(1, own.firstUnits) : 0,
    denials: own.denials,
    asks: asksFor(state, own, now),
  };
}

function each<T>(of: (priority: Priority) => T): PerClass<T> {
  return [of(0), of(1), of(2)];
}
