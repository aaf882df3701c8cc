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
  /** Hidden use so far, as booked. */
  hidden: number;
}

/** What headers of a window say, in the end, beside what the trace does. */
export interface WindowBalance {
  /** Units that no request of the trace explains. */
  readonly hidden: number;
  readonly beforeTrace: number;
  /** Units that requests of the trace were charged without a header having shown it. */
  readonly unconfirmed: number;
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
    hidden: 0,
  };
}

/**
 * Takes in a header, when all requests that began before its answer came are charged; returns the units by which hidden
 * use turns out greater. Requests under way are charged although the header may not count them yet, so nothing is booked
 * too early, and headers that come late or go backwards change nothing.
 */
export function observeWindow(window: OpenWindow, rate: ObservedRate, ownUnits: number, at: number): number {
  window.limit = rate.limit;
  window.lastSeenAt = Math.max(window.lastSeenAt, at);
  window.used = Math.max(window.used, rate.used);
  window.base = Math.min(window.base, Math.max(0, rate.used - ownUnits));
  const hidden = rate.used - window.charged - beforeTrace(window);
  const more = Math.max(0, hidden - window.hidden);
  window.hidden += more;
  return more;
}

export function balanceOf(window: OpenWindow): WindowBalance {
  const before = beforeTrace(window);
  const unexplained = window.used - window.charged - before;
  return {
    hidden: Math.max(window.hidden, unexplained),
    beforeTrace: before,
    unconfirmed: Math.max(0, -unexplained),
  };
}

function beforeTrace({ beganBefore, base }: OpenWindow): number {
  return beganBefore && base !== Number.POSITIVE_INFINITY ? base : 0;
}
