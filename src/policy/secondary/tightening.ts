/** How far the secondary limits are tightened. Plain data: begins as {@link RELAXED}. */
export interface Tightening {
  /** Share (above 0, to 1) of each limit that was left at the time `at`. */
  readonly factor: number;
  /** Epoch milliseconds of the last refusal that no known limit explained. */
  readonly at: number;
}

/** Where every process begins: the limits as published. */
export const RELAXED: Tightening = Object.freeze({ factor: 1, at: 0 });

/** A sixteenth of GitHub's limits still lets a fleet work; whatever needs less than that is not a matter of pace. */
export const LEAST_FACTOR: number = 1 / 16;

/** How much of the whole comes back in a minute: all of it in a quarter of an hour. */
const REGAINED_PER_MINUTE = 1 / 16;
const MINUTE_MS = 60_000;

/**
 * The state after a secondary refusal that no known limit explains: half of what was left. GitHub has limits that it does
 * not publish and changes the others without notice, so what it allows can only be found by trying: halve when refused,
 * add a little while not, as TCP does (RFC 5681).
 *
 * A request that was sent (`sentAt`) before the last tightening says nothing about it; its refusal returns `state` itself.
 * Otherwise a burst that is refused as one would halve the limits as often as it has requests.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
 */
export function tighten(state: Tightening, now: number, sentAt: number = now): Tightening {
  // A `now` before `state.at` means that the clock has been set back, and nothing can be told from it.
  if (sentAt < state.at && state.at <= now) return state;
  return { factor: Math.max(LEAST_FACTOR, factorAt(state, now) / 2), at: now };
}

/** The share (above 0, to 1) of each limit that may be used at `now`: a sixteenth of the whole more with each minute. */
export function factorAt(state: Tightening, now: number): number {
  const minutes = Math.max(0, now - state.at) / MINUTE_MS;
  return Math.min(1, state.factor + minutes * REGAINED_PER_MINUTE);
}
