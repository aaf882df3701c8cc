import { formatDuration } from "./words.js";

/**
 * Which way a call takes to GitHub. "direct" has no pace. A "notification" is a write that notifies people, and keeps the
 * pace of writes too.
 */
export type Lane = "direct" | "write" | "notification" | "search";

/** The shortest time between two starts in a lane, in milliseconds. */
export interface LaneSpacing {
  /** Between two writes, those that notify people included. */
  readonly writeMs: number;
  readonly notificationMs: number;
  readonly searchMs: number;
}

/**
 * What plugin-throttling keeps to as well. GitHub asks for a second between writes; a search every two seconds is its
 * limit of 30 a minute.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#pause-between-mutative-requests
 */
export const DEFAULT_LANE_SPACING: LaneSpacing = Object.freeze({
  writeMs: 1_000,
  notificationMs: 3_000,
  searchMs: 2_000,
});

/** When each lane of one principal was last entered; begins as {@link IDLE_LANES}. */
export interface PaceState {
  readonly writeAt: number;
  readonly notificationAt: number;
  readonly searchAt: number;
}

/** No lane was ever entered. */
export const IDLE_LANES: PaceState = Object.freeze({
  writeAt: Number.NEGATIVE_INFINITY,
  notificationAt: Number.NEGATIVE_INFINITY,
  searchAt: Number.NEGATIVE_INFINITY,
});

/** Whether a lane may be entered now. `untilAt` is on the clock of `now`. */
export type PaceDecision =
  | { readonly kind: "go" }
  | { readonly kind: "wait"; readonly untilAt: number; readonly why: string };

const GO: PaceDecision = Object.freeze({ kind: "go" });

/**
 * Whether a call may enter `lane` now; whoever does says so with {@link enterLane}. A retry enters like any other.
 *
 * `now` is in milliseconds of a clock that does not jump, as `Clock.monotonic()` is. On one that is set back calls keep
 * their distance all the same, but wait for as long as it was set back.
 *
 * @example
 * ```ts
 * const state = enterLane(IDLE_LANES, "write", 10_000);
 * decidePace(state, "write", DEFAULT_LANE_SPACING, 10_400);
 * // { kind: "wait", untilAt: 11_000, why: "writes are sent 1 s apart, as GitHub asks; the last went 400 ms ago" }
 * ```
 */
export function decidePace(state: PaceState, lane: Lane, spacing: LaneSpacing, now: number): PaceDecision {
  const { writeMs, notificationMs, searchMs } = spacing;
  switch (lane) {
    case "direct":
      return GO;
    case "write":
      return distance(state.writeAt, writeMs, now, AS_A_WRITE);
    case "search":
      return distance(state.searchAt, searchMs, now, AS_A_SEARCH);
    case "notification":
      return state.notificationAt + notificationMs > state.writeAt + writeMs
        ? distance(state.notificationAt, notificationMs, now, AS_A_NOTIFICATION)
        : distance(state.writeAt, writeMs, now, AS_A_WRITE);
  }
}

/** The state after a call has entered `lane` at `now`, a millisecond of the clock that {@link decidePace} is asked with. */
export function enterLane(state: PaceState, lane: Lane, now: number): PaceState {
  switch (lane) {
    case "direct":
      return state;
    case "write":
      return { ...state, writeAt: Math.max(state.writeAt, now) };
    case "search":
      return { ...state, searchAt: Math.max(state.searchAt, now) };
    case "notification":
      return {
        ...state,
        writeAt: Math.max(state.writeAt, now),
        notificationAt: Math.max(state.notificationAt, now),
      };
  }
}

interface Words {
  readonly what: string;
  readonly because: string;
}

const AS_A_WRITE: Words = { what: "writes", because: "as GitHub asks" };
const AS_A_NOTIFICATION: Words = { what: "writes that notify people", because: "since GitHub limits them further" };
const AS_A_SEARCH: Words = { what: "searches", because: "since GitHub allows only so many a minute" };

function distance(lastAt: number, spacingMs: number, now: number, { what, because }: Words): PaceDecision {
  // Compared as it is told: a difference of large numbers could fall short of the spacing at `untilAt` itself.
  const untilAt = lastAt + spacingMs;
  if (!(now < untilAt)) return GO;
  const agoMs = now - lastAt;
  const last = agoMs < 1 ? "just now" : `${tenths(agoMs)} ago`;
  return {
    kind: "wait",
    untilAt,
    why: `${what} are sent ${tenths(spacingMs)} apart, ${because}; the last went ${last}`,
  };
}

/** Rounded down, so that nothing reads as if it were over: 1.9 s of 2 s. */
function tenths(ms: number): string {
  return ms < 1_000 ? formatDuration(Math.floor(ms)) : `${Math.floor(ms / 100) / 10} s`;
}
