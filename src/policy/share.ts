import type { Priority } from "./light.js";
import { type Book, closeBook, type Entry, openBook } from "./share/book.js";
import { type Division, divide } from "./share/division.js";
import { enter, leaveBook, limitFor, UNSET_CLOCK_MS } from "./share/enter.js";
import { grantSize } from "./share/grant-size.js";
import { heartbeatMs } from "./share/lease.js";
import { isBlind, lookUnits, probeUnits } from "./share/probe.js";
import {
  emptyQuotaDocument,
  MAX_SPENDERS,
  type PerClass,
  PRIORITIES,
  type QuotaDocument,
} from "./share/quota-document.js";
import type { ShareEvent, ShareGrant, ShareReport, ShareUpdate } from "./share/report.js";
import { extendLeases, retire } from "./share/retirement.js";
import { retryAtFor } from "./share/retry-at.js";
import { type Standing, standingOf } from "./share/standing.js";
import { hear, reopen, turnOver } from "./share/windows.js";

export type { Denial, SeenQuota, ShareMode, ShareReport, ShareUpdate } from "./share/report.js";

/**
 * One spender's turn with the shared quota: books what it reports, moves units to the classes that ask, and says what to
 * write. Pure; meant to run inside one atomic update of the document.
 *
 * `doc` is what {@link parseQuotaDocument} made of the store's word, or `undefined` when the store has none. `now` is
 * GitHub's time in epoch milliseconds, as far as the spender knows it (`report.clockKnown`).
 *
 * Safe at every grant: units handed out, spent or not, together with what headers show beyond them, are at most the
 * limit. So without hidden use and with an atomic store no call is refused. The reasons are in docs/pool.md.
 *
 * @example
 * ```ts
 * const { doc, grant } = updateShare(parsed.doc, report, githubNow);
 * // write `doc`, then
 * state = adopt(state, reportId, grant, githubNow);
 * ```
 */
export function updateShare(doc: QuotaDocument | undefined, report: ShareReport, now: number): ShareUpdate {
  const events: ShareEvent[] = [];
  const book = openBook(doc ?? emptyQuotaDocument(report.windowMs));
  if (report.windowMeasured) book.windowMs = report.windowMs;
  const poolNow = report.clockKnown ? now : Math.max(book.updatedAt, now - UNSET_CLOCK_MS);
  extendLeases(book, poolNow, events);
  if (report.clockKnown) reopen(book, now, events);
  turnOver(book, poolNow, report.clockKnown, events);
  const full = !book.entries.has(report.spender) && book.entries.size >= MAX_SPENDERS;
  const { entry, kind } = enter(book, report, poolNow, events);
  if (report.header !== undefined && report.clockKnown) hear(book, report.header, poolNow, events);
  retire(book, report.spender, poolNow, events);
  book.blockedUntil = Math.max(book.blockedUntil, report.blockedUntil);

  const limit = limitFor(book, report);
  const units: [number, number, number] = [0, 0, 0];
  const retryAt: [number | undefined, number | undefined, number | undefined] = [undefined, undefined, undefined];
  let standing = standingOf(book, limit, poolNow);
  let division = divide(book, standing, poolNow);
  for (const priority of report.closing ? [] : PRIORITIES) {
    const ask = report.classes[priority];
    if (!ask.asks) continue;
    const granted = full ? 0 : grantUnits(book, entry, report, priority, standing, division, poolNow, events);
    units[priority] = granted;
    if (granted === 0) {
      const at = now - poolNow + retryAtFor(book, priority, ask.denials, standing, division, poolNow);
      retryAt[priority] = at;
      events.push({ kind: "denied", denial: denialOf(book, priority, at, standing, division, poolNow) });
      continue;
    }
    const own = entry.classes[priority];
    own.allocated += granted;
    own.soon = Math.min(own.waiting, own.allocated - own.used);
    standing = standingOf(book, limit, poolNow);
    division = divide(book, standing, poolNow);
  }

  const until = spendUntil(book, entry, report, now);
  // If it does not hear this it goes by what it heard before, which may have named no end.
  entry.spendUntil = report.clockKnown ? Math.max(report.spendUntil, until) : entry.leaseExpiry;
  if (report.closing || full) leaveBook(book, report.spender, entry);
  const grant: ShareGrant = {
    window: book.window,
    stint: entry.stint,
    windowMs: book.windowMs,
    kind,
    units,
    retryAt,
    spendUntil: until,
    reportBy: now + heartbeatMs(book.windowMs),
    resetAt: book.resetAt ?? undefined,
    previousResetAt: book.previousResetAt,
    blockedUntil: book.blockedUntil,
    unheld: Math.max(0, Math.floor(standing.unheld)),
    share: sharesOf(division),
  };
  const retries = retryAt.filter((at) => at !== undefined);
  const soonest = retries.length === 0 ? undefined : Math.min(...retries);
  // A clock that nobody has set is no word on when the document was written.
  return { doc: closeBook(book, report.clockKnown ? now : 0), grant, retryAt: soonest, events };
}

/** Units for a class that asks. */
function grantUnits(
  book: Book,
  entry: Entry,
  report: ShareReport,
  priority: Priority,
  standing: Standing,
  division: Division,
  now: number,
  events: ShareEvent[],
): number {
  // The window is over, and the next begins when nobody can be charged in it any more.
  if (book.resetAt !== null && now >= book.resetAt) return 0;
  const blind = isBlind(book, now);
  const sized = blind ? 0 : grantSize(book, entry, report, priority, standing, division);
  const ask = report.classes[priority];
  const granted = sized || probeUnits(book, ask, standing.limit, now) || lookUnits(book, ask, priority, standing, now);
  const lent = Math.floor(granted - division[priority].entitled);
  if (lent > 0 && sized > 0) events.push({ kind: "lent", priority, units: Math.min(lent, granted) });
  return granted;
}

/**
 * Until when the spender may send. One whose clock nobody has set counts on its own, and only long enough for the call
 * that sets it.
 */
function spendUntil(book: Book, entry: Entry, report: ShareReport, now: number): number {
  if (!report.clockKnown) return now + UNSET_CLOCK_MS / 6;
  return Math.min(entry.leaseExpiry, book.resetAt ?? Number.POSITIVE_INFINITY);
}

function sharesOf(division: Division): PerClass<number> {
  const of = (priority: Priority): number => division[priority].share / Math.max(1, division[priority].spenders);
  return [of(0), of(1), of(2)];
}

function denialOf(
  book: Book,
  priority: Priority,
  retryAt: number,
  standing: Standing,
  division: Division,
  now: number,
): Extract<ShareEvent, { kind: "denied" }>["denial"] {
  return {
    priority,
    retryAt,
    limit: standing.limit,
    freeUnits: Math.max(0, Math.floor(standing.free)),
    heldUnits: Math.floor(division[0].held + division[1].held + division[2].held - division[priority].held),
    reservedForHiddenUnits: Math.ceil(Math.max(0, Math.min(standing.ahead + standing.cushion, standing.unheld))),
    probing: isBlind(book, now),
  };
}
