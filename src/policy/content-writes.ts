import { book, fold, reservedSecond } from "./content-writes/booking.js";
import {
  type ContentDocument,
  type ContentSpender,
  emptyContentDocument,
  MAX_WAITING,
  spenderName,
  total,
  withoutMostUrgent,
} from "./content-writes/document.js";
import { explainContent } from "./content-writes/explain.js";
import { duePart, fairShare } from "./content-writes/fair-share.js";
import { knownSpenders, listSpenders, UNKNOWN_SPENDER, withTaken } from "./content-writes/spenders.js";
import { moreUrgentWaits, mostUrgent, type Rival, rivalsOf, tookOfLate, waitsUntil } from "./content-writes/waits.js";
import { type ContentLimits, type ContentWindow, freeAt, freeIn, windowsOf } from "./content-writes/windows.js";
import type { Priority } from "./light.js";
import { DOCUMENT_VERSION, type PerClass, PRIORITIES } from "./share/quota-document.js";

export { decideAlone } from "./content-writes/alone.js";
export { type Amendment, amendContent } from "./content-writes/amend.js";
export { sentSecond } from "./content-writes/booking.js";
export {
  type ContentDocument,
  RESERVED_FOR_MS,
  type SentBy,
  withoutMostUrgent,
} from "./content-writes/document.js";
export { parseContentDocument } from "./content-writes/parse-content-document.js";
export { RENEW_WAIT_MS } from "./content-writes/waits.js";
export type { ContentLimits } from "./content-writes/windows.js";

/** What one process wants. */
export interface ContentAsk {
  /** An id that no other process has, or ever had. */
  readonly spender: string;
  /** Content writes that wait in it, per class, less those that it has reserved already. */
  readonly waiting: PerClass<number>;
  /** It takes no more than this now, however many wait. Default: as many as wait. */
  readonly most?: number;
}

/** What came of it. */
export interface ContentReservation {
  /** The document to write; the one that was given when nothing has changed. */
  readonly doc: ContentDocument;
  /** Writes that it may send, for its most urgent calls. */
  readonly granted: number;
  /** By when it must have sent them, epoch milliseconds on GitHub's clock; what they are booked under. */
  readonly at: number;
  /** When it is worth asking again for the rest; `now` when it may at once, or when nothing is left to ask for. */
  readonly untilAt: number;
  /** Why it got no more; empty when it got all. */
  readonly why: string;
}

/**
 * Who is told to wait asks again after this at the latest from the moment that something is free, since those who come
 * before it may have given up meanwhile.
 */
const PATIENCE_MS = 5_000;

/**
 * Reserves content writes for one process, of those that GitHub lets all of them together send in a minute and in an hour.
 * Pure; meant to run inside one atomic update of the document. `now` is GitHub's time, epoch milliseconds.
 *
 * Less urgent classes get nothing that recorded waits of more urgent ones need, whosever they are. Within a class whoever
 * took least of late comes first, and nobody takes all at once. A reserved write counts as sent at the last moment at
 * which it may be, until {@link amendContent} says better; so no window of GitHub's ever holds more than the limit.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
 *
 * @example
 * ```ts
 * const ask = { spender: "ralph~5f0c", waiting: [0, 3, 0] as const };
 * const { doc, granted, at } = reserveContent(parsed.doc, ask, { contentPerMinute: 80, contentPerHour: 500 }, githubNow);
 * // write `doc`; then three writes may be sent until `at`
 * ```
 */
export function reserveContent(
  doc: ContentDocument | undefined,
  ask: ContentAsk,
  limits: ContentLimits,
  now: number,
): ContentReservation {
  const before = doc ?? emptyContentDocument();
  const name = spenderName(ask.spender);
  const [urgent, usual, idle] = ask.waiting;
  const waiting: PerClass<number> = [counted(urgent), counted(usual), counted(idle)];
  const spenders = knownSpenders(before, now);
  const own = spenders.get(name) ?? UNKNOWN_SPENDER;
  const at = reservedSecond(now);
  if (total(waiting) === 0 && total(own.waiting) === 0) return { doc: before, granted: 0, at, untilAt: now, why: "" };

  const windows = windowsOf(limits);
  const folded = fold(before.sent, now);
  const rivals = rivalsOf(spenders, name, now);
  const free = freeIn(folded, windows, now);
  const granted = Math.min(ask.most ?? Number.POSITIVE_INFINITY, share(free, waiting, tookOfLate(own, now), rivals));
  const sent = granted > 0 ? book(folded, at, granted) : folded;
  const left = withoutMostUrgent(waiting, granted);
  const taken = withTaken(own, granted, now);
  const priority = mostUrgent(left);
  const turn: Turn = { sent, windows, rivals, free: free - granted, own: taken, left, now };
  const untilAt = priority === undefined ? now : nextTurn(turn, priority);
  spenders.set(name, { ...taken, waiting: left, waitsUntil: priority === undefined ? 0 : waitsUntil(untilAt, now) });
  return {
    doc: {
      version: DOCUMENT_VERSION,
      revision: before.revision + 1,
      updatedAt: Math.max(before.updatedAt, now),
      sent,
      spenders: listSpenders(spenders),
    },
    granted,
    at,
    untilAt,
    why:
      priority === undefined
        ? ""
        : explainContent({ sent, windows, spenders, before: writesBefore(turn, priority), now }),
  };
}

/** Where a process stands that did not get all it wanted. */
interface Turn {
  readonly sent: ContentDocument["sent"];
  readonly windows: readonly ContentWindow[];
  readonly rivals: readonly Rival[];
  readonly free: number;
  readonly own: ContentSpender;
  readonly left: PerClass<number>;
  readonly now: number;
}

function share(free: number, waiting: PerClass<number>, took: number, rivals: readonly Rival[]): number {
  let granted = 0;
  let ahead = 0;
  for (const priority of PRIORITIES) {
    const own = { waiting: waiting[priority], took: took + granted };
    const equals = claimsOf(rivals, priority);
    granted += fairShare(free - ahead, own, equals);
    ahead += equals.reduce((sum, claim) => sum + claim.waiting, own.waiting);
  }
  return granted;
}

/** When it is worth asking again. */
function nextTurn(turn: Turn, priority: Priority): number {
  const { sent, windows, rivals, free, own, left, now } = turn;
  if (free > 0) {
    const claim = { waiting: left[priority], took: tookOfLate(own, now) };
    const due = duePart(free - moreUrgentWaits(rivals, priority), claim, claimsOf(rivals, priority));
    return due > 0 ? now : now + PATIENCE_MS;
  }
  const first = freeAt(sent, windows, 1, now);
  return Math.min(freeAt(sent, windows, writesBefore(turn, priority) + 1, now), first + PATIENCE_MS);
}

/** How many writes of others come before the next one: all that are more urgent, and one of each that took less. */
function writesBefore({ rivals, own, now }: Turn, priority: Priority): number {
  const took = tookOfLate(own, now);
  const first = rivals.filter((rival) => rival.waiting[priority] > 0 && rival.took < took);
  return moreUrgentWaits(rivals, priority) + first.length;
}

function claimsOf(
  rivals: readonly Rival[],
  priority: Priority,
): readonly { readonly waiting: number; readonly took: number }[] {
  return rivals
    .filter(({ waiting }) => waiting[priority] > 0)
    .map(({ waiting, took }) => ({ waiting: waiting[priority], took }));
}

function counted(waiting: number): number {
  return Math.min(MAX_WAITING, Math.max(0, Math.floor(waiting)));
}
