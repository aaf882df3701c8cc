import { type Member, memberRenewalMs } from "../policy/membership.js";

/** What an agent says of itself that others wait for. Times are epoch milliseconds on GitHub's clock. */
export type Standing = Pick<Member, "light" | "breakerOpen" | "blockedUntil">;

/** Who waits for minutes need not be told of seconds, and news is seconds old before anybody reads it. */
const NOTICEABLE_MS = 15_000;
/** All that is longer is as good as for ever; the longest of GitHub's windows end before. */
const FOREVER_MS = 24 * 3_600_000;

/** One update for all that changes within a second. */
const GATHER_MS = 1_000;
/** A light turns red for a whole fleet at once; its members tell of it one after the other within so long. */
const SPREAD_MS = 4_000;
/** The most members that may all write within a second. */
const SMALL_SQUAD = 10;
/** News comes twelve times as often as renewals at most: every ten seconds in a squad of ten. */
const PER_RENEWAL = 12;

/**
 * Whether those who depend on an agent should hear soon how it stands now, if this is what the list says of it: it has
 * become blocked, or is for longer or shorter than it had said, by more than fifteen seconds; its breaker has opened or
 * closed; its light has turned red, or is red no longer. That what was said has simply come to pass is no news.
 *
 * @param now GitHub's time, epoch milliseconds.
 */
export function isNews(listed: Standing, standing: Standing, now: number): boolean {
  if (listed.breakerOpen !== standing.breakerOpen) return true;
  if ((listed.light === "red") !== (standing.light === "red")) return true;
  const saidMs = Math.min(FOREVER_MS, Math.max(0, listed.blockedUntil - now));
  const isMs = Math.min(FOREVER_MS, Math.max(0, standing.blockedUntil - now));
  return Math.abs(isMs - saidMs) > NOTICEABLE_MS;
}

/** How long news of a process in a list of so many is gathered, in milliseconds. `spread` from 0 to 1 is its own. */
export function newsDelayMs(members: number, spread: number): number {
  return members <= SMALL_SQUAD ? GATHER_MS : GATHER_MS + spread * SPREAD_MS;
}

/** How much time is between two pieces of news of a process in a list of so many, in milliseconds. */
export function newsIntervalMs(members: number): number {
  return memberRenewalMs(members) / PER_RENEWAL;
}

/** A place from 0 to 1 for a process among many, by its random name. */
export function spreadOf(processId: string): number {
  let hash = 0;
  for (const letter of processId) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 65_536;
  return hash / 65_536;
}
