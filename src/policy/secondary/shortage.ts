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

/** A call in the eyes of one limit. */
export interface Claim {
  readonly limit: SecondaryLimitName;
  readonly sum: SlidingSum;
  /** What requests under way are expected to add to the sum. */
  readonly pending: number;
  readonly allowed: number;
  readonly amount: number;
}

/** How soon to ask again where what is under way fills the limit by itself. */
const ASK_AGAIN_MS = 1_000;

/** `known`, or the shortage of this limit where it has no room for the amount and lasts longer. */
export function longerShortage(
  known: Shortage | undefined,
  { limit, sum, pending, allowed, amount }: Claim,
  now: number,
): Shortage | undefined {
  const used = sum.total(now) + pending;
  const most = Math.max(amount, Math.floor(allowed));
  if (used + amount <= most) return known;
  const room = most - amount - pending;
  const untilAt = room < 0 ? now + ASK_AGAIN_MS : sum.fallsTo(room, now);
  return known === undefined || known.untilAt < untilAt ? { limit, used, most, untilAt } : known;
}
