const MINUTE_MS = 60_000;

/** A lease outlives a few missed heartbeats, and a dead spender's units come back within a twelfth of a window. */
const MAX_LEASE_MS = 5 * MINUTE_MS;

/** Windows this short give everything back by ending; a lease would cost more updates than it could save units. */
const WITHOUT_LEASE_MS = MINUTE_MS;

/** How long a spender may stay silent, in milliseconds, before what it holds is no longer its own. */
export function leaseMs(windowMs: number): number {
  return windowMs <= WITHOUT_LEASE_MS ? windowMs : Math.min(MAX_LEASE_MS, windowMs / 12);
}

/** How often a spender with units in hand reports, in milliseconds. */
export function heartbeatMs(windowMs: number): number {
  return Math.min(2 * MINUTE_MS, 0.4 * leaseMs(windowMs));
}
