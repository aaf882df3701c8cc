import { type Book, type Entry, newEntry } from "./book.js";
import { leaseMs } from "./lease.js";
import { PRIORITIES } from "./quota-document.js";
import type { ShareEvent, ShareGrant, ShareReport } from "./report.js";

/** A clock that no `Date` header has set may be this far ahead of GitHub's; taken as slow, it ends no window early. */
export const UNSET_CLOCK_MS = 60_000;

/**
 * Books a report. What the spender has neither spent nor kept is back in the pool by that: `allocated` is always what it
 * says it has. Counts of an earlier window are void but for calls that straddle; those of a spender that was retired
 * are in the retired ones' sum already. Either begins a new stint, and who has not heard of it begins another: what it
 * believes to hold is not its own.
 */
export function enter(
  book: Book,
  report: ShareReport,
  poolNow: number,
  events: ShareEvent[],
): { readonly entry: Entry; readonly kind: ShareGrant["kind"] } {
  const known = book.entries.get(report.spender);
  const sameWindow = report.window === book.window;
  const continued = sameWindow && known !== undefined && known.stint === report.stint;
  if (sameWindow && !continued) events.push({ kind: "came-back", spender: report.spender });
  const entry = known ?? newEntry();
  if (!continued) entry.stint = book.revision + 1;
  book.entries.set(report.spender, entry);
  entry.reportedAt = poolNow;
  // An unset clock may be slow as well as fast; its lease must outlast what it sends in either case.
  entry.leaseExpiry = poolNow + leaseMs(book.windowMs) + (report.clockKnown ? 0 : 2 * UNSET_CLOCK_MS);
  entry.writtenOff = writtenOffBy(book, report, continued);
  entry.limit = report.limit ?? entry.limit;
  entry.requestTimeoutMs = report.requestTimeoutMs;
  // Who does not hear that the window is over goes on to spend what it holds for as long as an older grant lets it, and of
  // a report that travelled across the edge it may have sent the rest meanwhile.
  const spendsOn = !sameWindow && (!report.clockKnown || report.spendUntil > report.madeAt);
  for (const priority of PRIORITIES) {
    const from = report.classes[priority];
    const to = entry.classes[priority];
    const balance = continued ? Math.max(0, from.balance) : 0;
    // What a later window was charged is, while this one lasts, as good as in flight: it comes along at the turnover.
    to.inFlight = from.inFlight + (continued ? from.spentAhead : 0);
    to.used = (continued ? from.spent : from.spentAhead) + to.inFlight;
    to.allocated = to.used + (spendsOn ? Math.max(0, from.balance) : balance);
    to.wantPerHour = from.wantPerHour;
    to.waiting = from.waiting;
    to.soon = Math.min(from.waiting, balance);
  }
  book.totalLimit = largestLimit(book);
  return { entry, kind: continued ? "continued" : "restarted" };
}

/**
 * What a spender gave back that may have been charged in this window. Where its counts are void, what it had spent is in
 * the sum of the retired, was never reported, or was perhaps booked in the wrong window by one that had not heard of the
 * end: at most all of it is of units that nobody counts any more.
 */
function writtenOffBy(book: Book, report: ShareReport, continued: boolean): number {
  if (continued) return report.writtenOff;
  const spent = report.classes[0].spent + report.classes[1].spent + report.classes[2].spent;
  if (report.window === book.window) return report.writtenOff + spent;
  const told = report.clockKnown && report.spendUntil <= book.previousResetAt;
  return told ? 0 : report.writtenOff + spent;
}

/** A spender that ends has nothing in flight; what it spent stays counted. */
export function leaveBook(book: Book, spender: string, entry: Entry): void {
  for (const priority of PRIORITIES) book.retired[priority] += entry.classes[priority].used;
  book.writtenOff += entry.writtenOff;
  book.entries.delete(spender);
}

/** The limit to go by: the credential's own, else, cautiously, the smallest that anybody has seen. */
export function limitFor(book: Book, report: ShareReport): number {
  if (report.limit !== undefined) return report.limit;
  let least = Number.POSITIVE_INFINITY;
  for (const { limit } of book.entries.values()) if (limit > 0 && limit < least) least = limit;
  return Number.isFinite(least) ? least : book.totalLimit;
}

function largestLimit(book: Book): number {
  let largest = 0;
  for (const { limit } of book.entries.values()) largest = Math.max(largest, limit);
  return largest > 0 ? largest : book.totalLimit;
}
