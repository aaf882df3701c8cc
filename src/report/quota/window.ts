import type { ObservedRate } from "../observed.js";

/** One window of one resource of one principal, while the trace goes through it. */
export interface OpenWindow {
  /** The latest reset that was named; GitHub's jitters by a second. */
  resetAt: number;
  limit: number;
  readonly firstSeenAt: number;
  lastSeenAt: number;
  /** The most that a header showed as used. */
  used: number;
  /** The least that a header showed as used before its own request: what was used before the first that is known. */
  base: number;
  /** Whether what was used before the first header came before the trace did. */
  readonly beganBefore: boolean;
  /** Units that the trace's own requests were charged. */
  charged: number;
  exchanges: number;
  unknownCosts: number;
  /** Hidden use as it turned out, header by header. */
  readonly bookings: Booking[];
  /** Their sum. */
  booked: number;
}

/** Hidden use that a header showed. */
export interface Booking {
  readonly at: number;
  units: number;
}

/** Later ones are added to the last: when within a window something was hidden is for a chart. */
const MAX_BOOKINGS = 240;

/** What headers of a window say, in the end, beside what the trace does. */
export interface WindowBalance {
  /** Units that no request of the trace explains. */
  readonly hidden: number;
  readonly beforeTrace: number;
  /** Units that requests of the trace were charged without a header having shown it. */
  readonly unconfirmed: number;
  readonly bookings: readonly Booking[];
}

/** A window's first header. */
export function openWindow(rate: ObservedRate, resetAt: number, at: number, beganBefore: boolean): OpenWindow {
  return {
    resetAt,
    limit: rate.limit,
    firstSeenAt: at,
    lastSeenAt: at,
    used: 0,
    base: Number.POSITIVE_INFINITY,
    beganBefore,
    charged: 0,
    exchanges: 0,
    unknownCosts: 0,
    bookings: [],
    booked: 0,
  };
}

/**
 * Takes in a header, when all requests that began before its answer came are charged, and books what it shows beyond them.
 * Requests under way are charged although the header may not count them yet, so nothing is booked too early, and headers
 * that come late or go backwards change nothing.
 */
export function observeWindow(window: OpenWindow, rate: ObservedRate, ownUnits: number, at: number): void {
  window.limit = rate.limit;
  window.lastSeenAt = Math.max(window.lastSeenAt, at);
  window.used = Math.max(window.used, rate.used);
  window.base = Math.min(window.base, Math.max(0, rate.used - ownUnits));
  book(window, at, rate.used - window.charged - beforeTrace(window));
}

/** What a window comes to in the end, and when what was hidden turned out. */
export function settleWindow(window: OpenWindow): WindowBalance {
  const before = beforeTrace(window);
  const unexplained = window.used - window.charged - before;
  const hidden = Math.max(0, unexplained);
  book(window, window.lastSeenAt, hidden);
  // Machines whose clocks differ may have seemed to send later than they did: the end knows better.
  while (window.booked > hidden) {
    const last = window.bookings.at(-1) as Booking;
    const taken = Math.min(window.booked - hidden, last.units);
    last.units -= taken;
    window.booked -= taken;
    if (last.units === 0) window.bookings.pop();
  }
  return { hidden, beforeTrace: before, unconfirmed: Math.max(0, -unexplained), bookings: window.bookings };
}

function book(window: OpenWindow, at: number, hidden: number): void {
  const more = hidden - window.booked;
  if (more <= 0) return;
  window.booked = hidden;
  const last = window.bookings.at(-1);
  if (last !== undefined && window.bookings.length >= MAX_BOOKINGS) last.units += more;
  else window.bookings.push({ at, units: more });
}

function beforeTrace({ beganBefore, base }: OpenWindow): number {
  return beganBefore && base !== Number.POSITIVE_INFINITY ? base : 0;
}
