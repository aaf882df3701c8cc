import type { Book } from "./book.js";
import { rateOf, usesOf } from "./hidden-use.js";

const HOUR_MS = 3_600_000;

/** Kept back whatever the hidden use: for charges that nobody foresaw. */
export const CUSHION_UNITS = 2;

/** And against the chance that hidden use comes faster than its mean before a header tells: of its standard deviation. */
const CUSHION_DEVIATIONS = 3;

/** Where the quota stands at one moment, for a credential with a certain limit. Units, unless named otherwise. */
export interface Standing {
  readonly limit: number;
  /** Time left in the window; a whole window while its end is not known. */
  readonly leftMs: number;
  /** Used by others than the pool, when the newest header was written. */
  readonly hidden: number;
  /** Reserved for hidden use from then to the window's end. */
  readonly ahead: number;
  readonly cushion: number;
  /** Hidden use that is likely to have come since the newest header. */
  readonly unseen: number;
  /** Neither spent nor held by a spender. May be negative. */
  readonly unheld: number;
  /** Neither spent, nor held by a spender, nor reserved for hidden use. May be negative. */
  readonly free: number;
}

/**
 * What is free is what remains of the limit after the units handed out, spent or not, and hidden use: what headers have
 * shown, what must have happened since the newest, and what is to come before the window ends.
 *
 * Hidden use is set beside the units handed out, and not covered by those in flight: a call in flight is charged on top
 * of what a header has shown. Unreported spending of others, on the other hand, may be what the header shows; the second
 * bound takes all of it for hidden.
 *
 * Units that came back without anybody's word that they were not charged - of requests that were never answered, of
 * spenders that died - are set beside in the same way, up to what headers show beyond the charges that were reported. An
 * estimate would do for the use of others, but these are the pool's own, and taking them for somebody's call in flight
 * would hand them out twice.
 */
export function standingOf(book: Book, limit: number, now: number): Standing {
  const uses = usesOf(book);
  const leftMs = Math.max(0, (book.resetAt ?? now + book.windowMs) - now);
  const unseenMs = Math.max(0, now - book.usedAt);
  const perMs = rateOf(book, uses) / HOUR_MS;
  const ahead = perMs * (leftMs + unseenMs);
  const nearMs = Math.min(leftMs, Math.max(2_000, book.windowMs / 60)) + unseenMs;
  const cushion = CUSHION_UNITS + CUSHION_DEVIATIONS * Math.sqrt(perMs * nearMs);
  const unspent = uses.allocated - uses.spent;
  const beside = Math.max(uses.hidden, uses.writtenOff);
  const committed = Math.max(uses.allocated + beside, Math.max(book.used, uses.spent) + unspent);
  const unheld = ceilingOf(book, limit) - committed;
  const free = unheld - ahead - cushion;
  return { limit, leftMs, hidden: uses.hidden, ahead, cushion, unseen: perMs * unseenMs, unheld, free };
}

/**
 * A principal has one count and each of its credentials a limit. Who still holds units under a lower limit could not
 * spend them once the count has passed it, so nobody is granted beyond it until they are spent or given back.
 */
function ceilingOf(book: Book, limit: number): number {
  let ceiling = limit;
  for (const entry of book.entries.values()) {
    if (entry.limit === 0 || entry.limit >= ceiling) continue;
    const holds = entry.classes.some(({ allocated, used, inFlight }) => allocated > used || inFlight > 0);
    if (holds) ceiling = entry.limit;
  }
  return ceiling;
}
