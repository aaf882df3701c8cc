import type { Book } from "./book.js";
import { PRIORITIES } from "./quota-document.js";

const HOUR_MS = 3_600_000;

/** How much evidence an earlier window's rate is worth: as much as a quarter of a window's watching. */
const PRIOR_SHARE = 1 / 4;

/** How long an exchange takes at most, for guessing what an answer that came later has counted. */
const EXCHANGE_MS = 1_000;

/** Who has used how much of this window, as far as it is known. Units. */
export interface Uses {
  /** Handed to spenders, with what the retired ones spent. */
  readonly allocated: number;
  /** Reported as spent or in flight, with what the retired ones spent. */
  readonly spent: number;
  /** Used by others than the pool when the newest header was written: as likely as not, and at the least. */
  readonly hidden: number;
  readonly hiddenAtLeast: number;
  /** Of what the newest header shows, the most that can be of units which came back to the pool all the same. */
  readonly writtenOff: number;
}

/**
 * Splits what the newest header shows into the pool's own use and hidden use. Every unit that an answer has charged is
 * in it, whenever its spender reported: the answer's own header showed no more. What a spender has sent since it
 * reported is guessed from its demand, and is never more than it holds.
 *
 * Where units were written off nothing is guessed: what no spender has reported as charged is taken for theirs first.
 */
export function usesOf(book: Book): Uses {
  const retired = book.retired[0] + book.retired[1] + book.retired[2];
  let allocated = retired;
  let spent = retired;
  let expected = retired;
  let perhaps = 0;
  let charged = retired;
  let writtenOff = book.writtenOff;
  for (const { classes, reportedAt, writtenOff: ofThis } of book.entries.values()) {
    const sinceMs = book.usedAt - reportedAt;
    writtenOff += ofThis;
    for (const priority of PRIORITIES) {
      const entry = classes[priority];
      allocated += entry.allocated;
      spent += entry.used;
      const settled = entry.used - entry.inFlight;
      charged += settled;
      const sent = sinceMs > EXCHANGE_MS ? entry.inFlight + entry.soon : 0;
      const arrived = sinceMs > 0 ? (entry.wantPerHour / HOUR_MS) * sinceMs : 0;
      const probably = Math.min(settled + sent + arrived, entry.allocated);
      expected += probably;
      perhaps += Math.min(entry.inFlight, entry.allocated - probably);
    }
  }
  const hidden = Math.max(0, book.used - expected);
  return {
    allocated,
    spent,
    hidden,
    hiddenAtLeast: Math.max(0, hidden - perhaps),
    writtenOff: Math.min(writtenOff, Math.max(0, book.used - charged)),
  };
}

/** Hidden use, units per hour: what this window showed, steadied by what earlier ones did. */
export function rateOf(book: Book, uses: Uses): number {
  const priorMs = book.windowMs * PRIOR_SHARE;
  const watchedMs = Math.max(0, book.usedAt - book.watchedSince);
  const seen = Math.max(0, uses.hiddenAtLeast - book.usedBefore);
  return (book.hiddenPerHour * (priorMs / HOUR_MS) + seen) / ((priorMs + watchedMs) / HOUR_MS);
}
