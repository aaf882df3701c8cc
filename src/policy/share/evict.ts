import { closeBook, openBook } from "./book.js";
import { leaveBook } from "./enter.js";
import { PRIORITIES, type QuotaDocument } from "./quota-document.js";
import { returnsAfter } from "./retirement.js";

/** A spender whose lease somebody has ended from outside. Times are GitHub's, epoch milliseconds. */
export interface EndedLease {
  readonly spender: string;
  /** Units that it has spent in this window, as far as it has told. */
  readonly spentUnits: number;
  /** Units that come back: in hand when it reported last, and perhaps spent since. */
  readonly heldUnits: number;
  /** Units of requests that had no answer then. */
  readonly inFlightUnits: number;
  /** They come back with the first answer to a request that is sent after this; 0 when it held nothing and is off the list. */
  readonly returnsAfter: number;
}

/**
 * Ends the leases of `spenders`, whom somebody knows to be dead. From now on nothing is held for what they said they would
 * need, and an outage of the store does not prolong their lease.
 *
 * Their units stay counted for as long as a spender that is alive after all could send by its latest grant, and its last
 * request be charged: it asks nobody before it sends, so nobody can take them away. One that lives comes back with its next
 * report, as after a silence. Returns `doc` itself when there is nothing to end.
 */
export function evict(
  doc: QuotaDocument,
  spenders: ReadonlySet<string>,
): { readonly doc: QuotaDocument; readonly ended: readonly EndedLease[] } {
  const book = openBook(doc);
  const ended: EndedLease[] = [];
  for (const [spender, entry] of book.entries) {
    if (!spenders.has(spender)) continue;
    const sum = (of: "allocated" | "used" | "inFlight"): number =>
      PRIORITIES.reduce<number>((units, priority) => units + entry.classes[priority][of], 0);
    const heldUnits = sum("allocated") - sum("used");
    const inFlightUnits = sum("inFlight");
    const holds = heldUnits > 0 || inFlightUnits > 0;
    const spentUnits = sum("used") - inFlightUnits;
    ended.push({ spender, spentUnits, heldUnits, inFlightUnits, returnsAfter: holds ? returnsAfter(entry) : 0 });
    if (!holds) {
      leaveBook(book, spender, entry);
      continue;
    }
    entry.leaseExpiry = 0;
    for (const priority of PRIORITIES) {
      entry.classes[priority].wantPerHour = 0;
      entry.classes[priority].waiting = 0;
    }
  }
  // By nobody's clock: who looks from outside has had no answer of GitHub's.
  return ended.length === 0 ? { doc, ended } : { doc: closeBook(book, 0), ended };
}
