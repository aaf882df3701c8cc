import type { SpenderState } from "./state.js";

/** Headers name the reset by the second and answers take a while, so a length this close to the expected one is the same. */
const SAME_SHARE = 0.02;
/** Window lengths are round numbers. */
const ROUND_MS = 10_000;
/** GitHub's longest is an hour, and a document holds a day at most; what is longer comes of a clock that is wrong by days. */
const MAX_WINDOW_MS = 24 * 3_600_000;

/**
 * How long a window lasts, from an answer that was charged and whose request was sent at `sentAt`: exactly, when it opened
 * the window (GitHub's begins with its first charge), and otherwise at least as long as it still has to go. `undefined`
 * when it says nothing new, or nothing that can be believed.
 */
export function measuredWindowMs(
  header: { readonly used: number; readonly resetAt: number },
  sentAt: number,
  expectedMs: number,
): number | undefined {
  const lastsMs = header.resetAt - sentAt;
  if (header.used !== 1 && lastsMs <= expectedMs) return undefined;
  if (Math.abs(lastsMs - expectedMs) <= SAME_SHARE * expectedMs) return expectedMs;
  const roundMs = Math.round(lastsMs / ROUND_MS) * ROUND_MS;
  return roundMs > 0 && roundMs <= MAX_WINDOW_MS ? roundMs : undefined;
}

/** A header has told how long a window lasts. */
export function measureWindow(state: SpenderState, windowMs: number): SpenderState {
  if (state.windowMeasured && state.windowMs === windowMs) return state;
  return { ...state, windowMs, windowMeasured: true };
}
