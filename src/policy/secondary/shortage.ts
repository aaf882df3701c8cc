import type { SecondaryLimitName } from "./limits.js";
import type { SlidingSum } from "./sliding-sum.js";

/** A limit that has no room for a call. */
export interface Shortage {
  readonly limit: SecondaryLimitName;
  /** What is used of it: requests, points, or milliseconds. */
  readonly used: number;
  /** What this process may use of it. */
  readonly most: number;
  /** When the call can have its place if nothing else is counted. Epoch milliseconds. */
  readonly untilAt: number;
}

/** `known`, or the shortage of this limit where it has no room for `amount` and lasts longer. */
export function longerShortage(
  known: Shortage | undefined,
  limit: SecondaryLimitName,
  sum: SlidingSum,
  allowed: number,
  amount: number,
  now: number,
): Shortage | undefined {
  const used = sum.total(now);
  const most = Math.max(amount, Math.floor(allowed));
  if (used + amount <= most) return known;
  const untilAt = sum.fallsTo(most - amount, now);
  return known === undefined || known.untilAt < untilAt ? { limit, used, most, untilAt } : known;
}
