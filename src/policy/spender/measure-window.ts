import type { SpenderState } from "./state.js";

/** Headers name the reset by the second and answers take a while, so a length this close to the expected one is the same. */
const SAME_SHARE = 0.02;
/** Window lengths are round numbers. */
const ROUND_MS = 10_000;

/**
 * How long a window lasts, from the header of the answer that opened it (the first charged one, sent at `sentAt`):
 * GitHub's window begins with its first charge. `undefined` where that makes no sense.
 */
export function measuredWindowMs(
  header: { readonly used: number; readonly resetAt: number },
  sentAt: number,
  expectedMs: number,
): number | undefined {
  if (header.used !== 1) return undefined;
  const lastsMs = header.resetAt - sentAt;
  if (Math.abs(lastsMs - expectedMs) <= SAME_SHARE * expectedMs) return expectedMs;
  const roundMs = Math.round(lastsMs / ROUND_MS) * ROUND_MS;
  return roundMs > 0 ? roundMs : undefined;
}

/** A header has told how long a window lasts. */
export function measureWindow(state: SpenderState, windowMs: number): SpenderState {
  if (state.windowMeasured && state.windowMs === windowMs) return state;
  return { ...state, windowMs, windowMeasured: true };
}
