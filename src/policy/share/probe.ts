import type { Priority } from "../light.js";
import type { Book } from "./book.js";
import { usesOf } from "./hidden-use.js";
import type { ClassReport } from "./report.js";
import type { Standing } from "./standing.js";

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
  if (book.resetAt !== null || ask.waiting === 0 || Math.abs(now - book.probedAt) < PROBE_MS) return 0;
  if (limit > 0 && usesOf(book).allocated + units > limit) return 0;
  book.probedAt = now;
  return units;
}

/** Looks take units from what is reserved: at most about a hundredth of the limit in a window. */
const LOOK_LIMIT_PARTS = 100;
const LOOK_MS = 10_000;
const LOOK_SHARE = 1 / 12;

/** A spender that has not reported for this part of a window is asking no more. */
const ASKING_SHARE = 1 / 20;

/**
 * Lets one call go that only the reservation for hidden use holds back, when no header has been seen for a while. What is
 * reserved rests on headers: after a burst of hidden use everything would be reserved until the reset, and without a call
 * there would never be a header to show that the burst is over. For the most urgent class that asks.
 */
export function lookUnits(book: Book, ask: ClassReport, priority: Priority, standing: Standing, now: number): number {
  const units = Math.max(1, ask.firstUnits);
  const { limit, unheld, unseen, cushion } = standing;
  if (book.resetAt === null || ask.waiting === 0 || unheld - unseen - cushion < units) return 0;
  const everyMs = Math.max(
    LOOK_MS,
    Math.min(book.windowMs * LOOK_SHARE, (book.windowMs * LOOK_LIMIT_PARTS) / Math.max(1, limit)),
  );
  if (now - book.usedAt < everyMs || Math.abs(now - book.probedAt) < everyMs) return 0;
  if (anybodyMoreUrgent(book, priority, now)) return 0;
  book.probedAt = now;
  return units;
}

function anybodyMoreUrgent(book: Book, priority: Priority, now: number): boolean {
  for (const { classes, reportedAt } of book.entries.values()) {
    if (now - reportedAt > book.windowMs * ASKING_SHARE) continue;
    for (let urgent = 0; urgent < priority; urgent++) if ((classes[urgent]?.waiting ?? 0) > 0) return true;
  }
  return false;
}
