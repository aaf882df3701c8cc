import { DOCUMENT_VERSION } from "../share/quota-document.js";
import { book, bookedAt, fold, reservedSecond } from "./booking.js";
import { type ContentDocument, emptyContentDocument, spenderName } from "./document.js";
import { knownSpenders, listSpenders, UNKNOWN_SPENDER, withTaken } from "./spenders.js";

/**
 * What has become of one write: it was booked under `from` and is booked under `to` instead. Without `from` it was sent
 * and not booked. Without `to` it was not sent and is given back; after more than a minute bookings are no longer known to
 * the second, and what is not there is not given back.
 */
export interface Amendment {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Books what has become of a process's writes; `doc` itself when there is nothing to book. `now` is GitHub's time. */
export function amendContent(
  doc: ContentDocument | undefined,
  spender: string,
  amendments: readonly Amendment[],
  now: number,
): ContentDocument {
  const before = doc ?? emptyContentDocument();
  if (amendments.length === 0) return before;
  let { sent } = before;
  let more = 0;
  for (const { from, to } of amendments) {
    // A booking that is gone was folded into a later one; it stays there, for the safe side.
    if (from !== undefined && bookedAt(sent, from) === 0) continue;
    if (from !== undefined) sent = book(sent, from, -1);
    // Nobody could read a document that has more to come than can be reserved.
    if (to !== undefined) sent = book(sent, Math.min(to, reservedSecond(now)), 1);
    more += (to === undefined ? 0 : 1) - (from === undefined ? 0 : 1);
  }
  const name = spenderName(spender);
  const spenders = knownSpenders(before, now);
  spenders.set(name, withTaken(spenders.get(name) ?? UNKNOWN_SPENDER, more, now));
  return {
    version: DOCUMENT_VERSION,
    revision: before.revision + 1,
    updatedAt: Math.max(before.updatedAt, now),
    sent: fold(sent, now),
    spenders: listSpenders(spenders),
  };
}
