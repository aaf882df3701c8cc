import type { Priority } from "../light.js";
import type { Book, Entry } from "./book.js";
import { availableTo, type Division } from "./division.js";
import type { ClassReport, ShareReport } from "./report.js";
import type { Standing } from "./standing.js";

const HOUR_MS = 3_600_000;

/** A grant lasts about this part of a window, so that lent units are back soon without being called back. */
const CHUNK_SHARE = 1 / 30;

/** A slow spender gets a few units at once all the same, if they are soon spent: each update costs as much as a call. */
const SMALL_CHUNK_UNITS = 4;
const SMALL_CHUNK_SHARE = 1 / 10;

/**
 * Units to move to a class of a spender that asks, 0 when the call at the head of its queue cannot be paid.
 *
 * As units run out chunks shrink with what is left over twice the class's spenders, so that none of them sits on the last
 * ones; waiting calls get an even part of it. Nobody gets more than it is expected to need until the window ends.
 */
export function grantSize(
  book: Book,
  entry: Entry,
  report: ShareReport,
  priority: Priority,
  standing: Standing,
  division: Division,
): number {
  const ask = report.classes[priority];
  const own = division[priority];
  const spenders = Math.max(1, own.spenders);
  const headUnits = Math.max(1, ask.firstUnits);
  const available =
    report.mode === "fixed"
      ? fixedPart(entry, priority, standing, division)
      : availableTo(priority, division, standing, book.windowMs);
  if (available < headUnits) return 0;
  // One call sets the clock; more than that waits until the spender can tell when to stop.
  if (!report.clockKnown) return headUnits;
  const perMs = ask.wantPerHour / HOUR_MS;
  const chunk = Math.max(
    headUnits,
    Math.min(perMs * book.windowMs * CHUNK_SHARE, available / (2 * spenders)),
    Math.min(SMALL_CHUNK_UNITS, perMs * book.windowMs * SMALL_CHUNK_SHARE, available / spenders),
    Math.min(ask.waiting, available / spenders),
  );
  return Math.max(0, Math.floor(Math.min(available, chunk, expectedNeed(ask, perMs, standing.leftMs, headUnits))));
}

function expectedNeed(ask: ClassReport, perMs: number, leftMs: number, headUnits: number): number {
  const foreseen = perMs * leftMs;
  return ask.waiting > 0 ? Math.max(headUnits, foreseen + ask.waiting) : foreseen - ask.balance;
}

/** The plain split: the class's entitlement in equal parts, lent to nobody. */
function fixedPart(entry: Entry, priority: Priority, standing: Standing, division: Division): number {
  const { share, spenders } = division[priority];
  const part = (share * (standing.limit - standing.hidden - standing.ahead)) / Math.max(1, spenders);
  return Math.min(part - entry.classes[priority].allocated, standing.free);
}
