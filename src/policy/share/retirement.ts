import type { Book, Entry } from "./book.js";
import { heartbeatMs, leaseMs } from "./lease.js";
import { PRIORITIES } from "./quota-document.js";
import type { ShareEvent } from "./report.js";

/** Clocks that answers have set agree within this, the dead spender's and that of whoever saw the header. */
const CLOCKS_MS = 1_000;

/**
 * Takes silent spenders off the book. A header asked for after their lease and their last request's timeout has counted
 * everything they can have spent - one that merely came after it may have been written before - so what they did not report is in it and the rest is free. Who held nothing has
 * nothing unreported, and goes when its lease ends.
 */
export function retire(book: Book, reporter: string, now: number, events: ShareEvent[]): void {
  const countedAt = Math.min(now, book.countedAt);
  for (const [spender, entry] of book.entries) {
    const held = holdsUnits(entry);
    const gone = held ? countedAt > returnsAfter(entry) : now > entry.leaseExpiry;
    if (spender === reporter || !gone) continue;
    let returnedUnits = 0;
    for (const priority of PRIORITIES) {
      const { allocated, used } = entry.classes[priority];
      book.retired[priority] += used;
      returnedUnits += allocated - used;
    }
    book.writtenOff += entry.writtenOff + returnedUnits;
    book.entries.delete(spender);
    if (held) events.push({ kind: "retired", spender, returnedUnits });
  }
}

/**
 * What a silent spender holds comes back with a header that was asked for later than this. GitHub's time, epoch milliseconds.
 */
export function returnsAfter({
  leaseExpiry,
  spendUntil,
  requestTimeoutMs,
}: Pick<Entry, "leaseExpiry" | "spendUntil" | "requestTimeoutMs">): number {
  return Math.max(leaseExpiry, spendUntil) + requestTimeoutMs + CLOCKS_MS;
}

/**
 * When nobody has written for longer than two heartbeats though somebody should have, the store was away: who could not
 * report must not be taken for dead by the first that can.
 */
export function extendLeases(book: Book, now: number, events: ShareEvent[]): void {
  const silentMs = now - book.updatedAt;
  if (book.updatedAt === 0 || silentMs <= 2 * heartbeatMs(book.windowMs)) return;
  // Whose lease is 0 was declared dead by somebody who knew; see `evict`.
  const holders = [...book.entries.values()].filter((entry) => holdsUnits(entry) && entry.leaseExpiry > 0);
  if (holders.length === 0) return;
  for (const entry of holders) entry.leaseExpiry = Math.max(entry.leaseExpiry, now + leaseMs(book.windowMs));
  events.push({ kind: "leases-extended", spenders: holders.length, silentMs });
}

/** Who holds nothing sends no heartbeat, and its silence says nothing. */
function holdsUnits({ classes }: Entry): boolean {
  return classes.some(({ allocated, used, inFlight }) => allocated > used || inFlight > 0);
}
