import type { Priority } from "./light.js";

/** How long to wait, at least and at most. */
export interface RetryWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** When the calls of one class start, epoch milliseconds. */
export interface ReleaseWindow {
  readonly fromAt: number;
  readonly toAt: number;
}

/** What {@link releaseWindows} are made for. */
export interface Release {
  /** When the reset or the cooldown is over, epoch milliseconds. The windows are on the same clock. */
  readonly at: number;
  /** How many calls wait, by class; of everybody who is released together, as far as that is known. */
  readonly waiting: readonly [number, number, number];
  /** Units that those who wait may spend in a window: the resource's limit, or this process's share of it. */
  readonly limit: number;
  readonly windowMs: number;
}

const RETRY_WINDOWS: readonly [RetryWindow, RetryWindow, RetryWindow] = [
  { fromMs: 500, toMs: 5_000 },
  { fromMs: 2_000, toMs: 30_000 },
  { fromMs: 5_000, toMs: 60_000 },
];

/** Where the first class starts after a release, and where each one ends. */
const RELEASE_EDGES_MS = [500, 5_000, 30_000, 60_000] as const;

/** In windows from this length on, waits are as published; in shorter ones they shrink with them. */
const FULL_SCALE_MS = 600_000;

/** Those who have waited may start at twice the pace that would spend the window evenly. */
const PACE_OF_RELEASE = 2;

/**
 * Within what time a call of a class is tried again: P0 0.5–5 s, P1 2–30 s, P2 5–60 s. In a window shorter than ten
 * minutes all are shortened in proportion, since a minute's wait is all of a window of `search`.
 */
export function retryWindow(priority: Priority, windowMs: number): RetryWindow {
  const { fromMs, toMs } = RETRY_WINDOWS[priority];
  const scale = scaleOf(windowMs);
  return { fromMs: fromMs * scale, toMs: toMs * scale };
}

/**
 * How long to wait before a call is tried again: anywhere from the start of its class's {@link retryWindow} to twice
 * that start, four times it, and so on, until the window's end, which is never passed.
 *
 * @param attempt How many attempts have been made: 1 after the first.
 * @param random From 0 to less than 1.
 *
 * @example
 * ```ts
 * retryDelayMs(1, 1, 3_600_000, random()); // 2 to 4 s
 * retryDelayMs(1, 3, 3_600_000, random()); // 2 to 16 s
 * retryDelayMs(1, 9, 3_600_000, random()); // 2 to 30 s
 * ```
 */
export function retryDelayMs(priority: Priority, attempt: number, windowMs: number, random: number): number {
  const { fromMs, toMs } = retryWindow(priority, windowMs);
  const latestMs = Math.min(toMs, fromMs * 2 ** Math.max(0, attempt));
  return fromMs + random * (latestMs - fromMs);
}

/**
 * When each class starts after a reset or a cooldown, so that those who have waited do not all come at once: by default
 * P0 from 0.5 to 5 s after it, P1 from 5 to 30 s, P2 from 30 to 60 s, in windows shorter than ten minutes in proportion.
 * A class of which more are waiting than that time carries, at twice the even pace of the window, takes as long as it
 * needs, and later classes start later. Windows follow one another without gap or overlap. A class of which nobody is
 * waiting keeps its time: others, who do not see this process, may use it.
 *
 * To be made once, when the release is known: what has started since would shorten them.
 */
export function releaseWindows(release: Release): readonly [ReleaseWindow, ReleaseWindow, ReleaseWindow] {
  const { at, waiting, limit, windowMs } = release;
  const [startMs, ...endsMs] = RELEASE_EDGES_MS;
  const scale = scaleOf(windowMs);
  const msPerCall = windowMs / (PACE_OF_RELEASE * Math.max(1, limit));
  const lasts = (priority: Priority): number => {
    const shortestMs = scale * (endsMs[priority] - RELEASE_EDGES_MS[priority]);
    return Math.max(shortestMs, waiting[priority] * msPerCall);
  };
  const p0At = at + scale * startMs;
  const p1At = p0At + lasts(0);
  const p2At = p1At + lasts(1);
  return [
    { fromAt: p0At, toAt: p1At },
    { fromAt: p1At, toAt: p2At },
    { fromAt: p2At, toAt: p2At + lasts(2) },
  ];
}

/**
 * A call's place in its class's window, epoch milliseconds. Places are drawn by chance rather than dealt out, so that
 * processes that know nothing of each other spread over the window together.
 *
 * @param random From 0 to less than 1. With the same number a call keeps its place however often it asks.
 *
 * @example
 * ```ts
 * const windows = releaseWindows({ at: resetAt, waiting: [3, 40, 900], limit: 5_000, windowMs: 3_600_000 });
 * releasePlace(windows[0], random()); // 0.5 to 5 s after the reset
 * releasePlace(windows[2], random()); // 30 to 354 s after it: 900 calls at 2.8 a second
 * ```
 */
export function releasePlace({ fromAt, toAt }: ReleaseWindow, random: number): number {
  return fromAt + random * (toAt - fromAt);
}

function scaleOf(windowMs: number): number {
  return Math.min(1, windowMs / FULL_SCALE_MS);
}
