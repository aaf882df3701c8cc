import { RESET_TOLERANCE_MS } from "../window.js";
import type { Book, Entry } from "./book.js";
import { rateOf, usesOf } from "./hidden-use.js";
import { PRIORITIES } from "./quota-document.js";
import type { SeenQuota, ShareEvent } from "./report.js";

/**
 * A window counts as over this long after its reset. Headers name the reset to within a second and clocks agree to
 * half of one; less than 1.5 s would let units of the new window be sent into the old one.
 */
export const TURNOVER_GUARD_MS = 2_000;

/** GitHub's clock and this one may differ by as much when a header's reset is checked for sense. */
const CLOCK_ERROR_MS = 5_000;

/** A clock that an answer has set is right to half a second, and so is the one that ended the window. */
const EARLY_MS = 1_000;

/**
 * Takes back the end of a window that has not ended: a machine that was minutes fast, and that no answer had set yet,
 * believed so. What has been spent is forgotten, so that a call has to find out first.
 */
export function reopen(book: Book, now: number, events: ShareEvent[]): void {
  const { previousResetAt } = book;
  if (now >= previousResetAt - EARLY_MS) return;
  book.window += 1;
  book.resetAt = null;
  book.previousResetAt = 0;
  book.used = 0;
  book.usedAt = 0;
  book.countedAt = 0;
  events.push({ kind: "window-reopened", window: book.window, resetAt: previousResetAt });
}

/**
 * Starts a new window if the known one is over. What was held for the old one is void. `now` is taken for right, unless
 * no answer has set it.
 */
export function turnOver(book: Book, now: number, clockKnown: boolean, events: ShareEvent[]): void {
  const { resetAt } = book;
  if (resetAt === null || now < resetAt + TURNOVER_GUARD_MS) return;
  const hiddenPerHour = rateOf(book, usesOf(book));
  events.push({ kind: "window-turned", window: book.window + 1, used: book.used, hiddenPerHour });
  book.window += 1;
  book.previousResetAt = resetAt;
  book.resetAt = null;
  book.used = 0;
  // Nothing was used at the reset. When everybody slept for longer than a window, an open one is younger than that.
  book.usedAt = clockKnown ? Math.max(resetAt, now - book.windowMs) : resetAt;
  book.countedAt = book.usedAt;
  book.watchedSince = book.usedAt;
  book.usedBefore = 0;
  book.hiddenPerHour = hiddenPerHour;
  book.retired.fill(0);
  book.writtenOff = 0;
  for (const entry of book.entries.values()) carryOver(entry, resetAt, now);
}

/**
 * What was spent is the old window's. What a spender still held, or had in flight, it may have sent just before it took
 * the window for over and have been charged for in the new one: it stays counted until the spender reports, or can be
 * retired, or could not have been charged so late. One that was never told the end, or whose clock nobody has set, goes on
 * until its grant ends, and what it reported as charged here may have been charged there.
 */
function carryOver(entry: Entry, resetAt: number, now: number): void {
  const { classes, leaseExpiry, spendUntil, requestTimeoutMs } = entry;
  const lastSentAt = Math.max(spendUntil, Math.min(leaseExpiry, resetAt + TURNOVER_GUARD_MS));
  const straddles = lastSentAt + requestTimeoutMs > Math.max(resetAt, now - TURNOVER_GUARD_MS);
  const untold = spendUntil > resetAt;
  if (!untold) entry.writtenOff = 0;
  for (const priority of PRIORITIES) {
    const of = classes[priority];
    if (untold) entry.writtenOff += of.used - of.inFlight;
    of.allocated = straddles ? of.allocated - of.used + of.inFlight : 0;
    of.used = 0;
    of.inFlight = 0;
    of.soon = 0;
  }
}

/**
 * Takes in a spender's newest header. A window opens by its first charge, so an answer that shows nothing used tells
 * no end, only that all is left; one that names the window before is late; a later window is believed when this one is
 * over.
 */
export function hear(book: Book, header: SeenQuota, now: number, events: ShareEvent[]): void {
  if (header.resetAt <= book.previousResetAt + RESET_TOLERANCE_MS) return;
  if (header.resetAt > now + book.windowMs + CLOCK_ERROR_MS || now >= header.resetAt + TURNOVER_GUARD_MS) return;
  if (book.resetAt !== null && Math.abs(header.resetAt - book.resetAt) > RESET_TOLERANCE_MS) return;
  const firstEver = book.usedAt === 0;
  if (header.used < 1) {
    if (book.resetAt !== null) return;
    see(book, header, now);
    if (firstEver) book.watchedSince = book.usedAt;
    return;
  }
  if (book.resetAt === null) events.push({ kind: "window-opened", window: book.window, resetAt: header.resetAt });
  book.resetAt = Math.max(book.resetAt ?? 0, header.resetAt);
  if (header.used >= book.used) {
    book.used = header.used;
    see(book, header, now);
  }
  if (!firstEver) return;
  book.watchedSince = book.usedAt;
  book.usedBefore = usesOf(book).hiddenAtLeast;
}

function see(book: Book, { at, sentAt }: SeenQuota, now: number): void {
  book.usedAt = Math.max(book.usedAt, Math.min(at, now));
  book.countedAt = Math.max(book.countedAt, Math.min(sentAt ?? at, now));
}
