import type { QuotaDocument } from "../../../src/policy/share/quota-document.js";
import type { ClassReport } from "../../../src/policy/share/report.js";
import { type SeenQuota, type ShareReport, type ShareUpdate, updateShare } from "../../../src/policy/share.js";

export const T0: number = Date.UTC(2030, 0, 1);
export const HOUR_MS = 3_600_000;
export const RESET: number = T0 + HOUR_MS;

const QUIET: ClassReport = {
  spent: 0,
  inFlight: 0,
  balance: 0,
  spentAhead: 0,
  wantPerHour: 0,
  waiting: 0,
  firstUnits: 0,
  denials: 0,
  asks: false,
};

export function seen(used: number, at: number = T0, resetAt: number = RESET, limit = 5_000): SeenQuota {
  return { limit, used, resetAt, at };
}

/** A class that asks for `waiting` one-unit calls. */
export function asking(waiting: number, more: Partial<ClassReport> = {}): Partial<ClassReport> {
  return { waiting, firstUnits: 1, asks: true, ...more };
}

/** A report of the first window by a spender whose clock is set. */
export function reportOf(
  spender: string,
  classes: { readonly [P in 0 | 1 | 2]?: Partial<ClassReport> },
  more: Partial<ShareReport> = {},
): ShareReport {
  return {
    spender,
    windowMs: HOUR_MS,
    windowMeasured: true,
    limit: more.header?.limit,
    clockKnown: true,
    requestTimeoutMs: 60_000,
    window: 1,
    stint: undefined,
    classes: [
      { ...QUIET, ...classes[0] },
      { ...QUIET, ...classes[1] },
      { ...QUIET, ...classes[2] },
    ],
    madeAt: 0,
    spendUntil: 0,
    writtenOff: 0,
    header: undefined,
    mode: "lend",
    blockedUntil: 0,
    closing: false,
    ...more,
  };
}

/** A document after these reports, each at its own time. */
export function documentAfter(...reports: readonly (readonly [ShareReport, number])[]): QuotaDocument {
  let doc: QuotaDocument | undefined;
  for (const [report, now] of reports) {
    doc = join(doc, report, now);
    doc = update(doc, report, now).doc;
  }
  if (doc === undefined) throw new Error("no reports");
  return doc;
}

/** A spender's counts are heard when it has been met before. */
function join(doc: QuotaDocument | undefined, report: ShareReport, now: number): QuotaDocument | undefined {
  if (doc !== undefined && Object.hasOwn(doc.allocations, report.spender)) return doc;
  return updateShare(doc, reportOf(report.spender, {}, { window: undefined }), now).doc;
}

/** A known window of which `used` units are used, all before the pool began. */
export function openWindow(used = 1, limit = 5_000): QuotaDocument {
  return documentAfter([reportOf("scout", {}, { header: seen(used, T0, RESET, limit), closing: true }), T0]);
}

/** An update by a spender that has heard every answer so far. */
export function update(doc: QuotaDocument | undefined, report: ShareReport, now: number): ShareUpdate {
  const known = doc !== undefined && Object.hasOwn(doc.allocations, report.spender);
  return updateShare(doc, { ...report, stint: known ? doc.allocations[report.spender]?.stint : report.stint }, now);
}

export function grantedTo(update: ShareUpdate): number {
  return update.grant.units[0] + update.grant.units[1] + update.grant.units[2];
}
