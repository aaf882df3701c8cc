import type { Book } from "./book.js";
import { usesOf } from "./hidden-use.js";
import type { ClassReport } from "./report.js";

/** How long a probe may take before another is let go. */
const PROBE_MS = 5_000;

/** A window that nobody has looked at for this part of its length may have been used up by others. */
const BLIND_SHARE = 1 / 12;
const BLIND_MS = 10_000;

/** Whether nobody knows how much of the quota is used: before the first header, or after a long silence. */
export function isBlind(book: Book, now: number): boolean {
  if (book.usedAt === 0) return true;
  return book.resetAt === null && now - book.usedAt > Math.max(BLIND_MS, book.windowMs * BLIND_SHARE);
}

/**
 * Lets one call of the whole fleet go to find out. Also when a new window's expected hidden use leaves nothing: without
 * a call there would never be a header to correct the expectation. Never beyond a limit that is known.
 */
export function probeUnits(book: Book, ask: ClassReport, limit: number, now: number): number {
  const units = Math.max(1, ask.firstUnits);
  if (book.resetAt !== null || ask.waiting === 0 || now - book.probedAt < PROBE_MS) return 0;
  if (limit > 0 && usesOf(book).allocated + units > limit) return 0;
  book.probedAt = now;
  return units;
}
