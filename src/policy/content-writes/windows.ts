import type { SentBy } from "./document.js";

/** How many content-creating requests GitHub takes; whoever tightens them has done so already. Never below 1. */
export interface ContentLimits {
  readonly contentPerMinute: number;
  readonly contentPerHour: number;
}

/** At most `limit` writes in any `lastsMs`. */
export interface ContentWindow {
  readonly limit: number;
  readonly lastsMs: number;
  /** What people call it. */
  readonly name: string;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/**
 * How much longer than its window a write counts. Clocks of two processes differ by up to a second, since each knows
 * GitHub's to half of one; and GitHub counts when a request arrives, which one may do half a second later than another.
 */
export const UNSURE_MS = 1_500;

/** GitHub's two windows. */
export function windowsOf({ contentPerMinute, contentPerHour }: ContentLimits): readonly ContentWindow[] {
  return [
    { limit: Math.max(1, Math.floor(contentPerMinute)), lastsMs: MINUTE_MS, name: "minute" },
    { limit: Math.max(1, Math.floor(contentPerHour)), lastsMs: HOUR_MS, name: "hour" },
  ];
}

/** How many of `sent` a window counts at `now`, those among them that are still to be sent. */
export function usedIn(sent: readonly SentBy[], { lastsMs }: ContentWindow, now: number): number {
  let used = 0;
  for (const [at, writes] of sent) if (at + lastsMs + UNSURE_MS > now) used += writes;
  return used;
}

/** How many writes may be reserved at `now`; negative when limits are lower than they were. */
export function freeIn(sent: readonly SentBy[], windows: readonly ContentWindow[], now: number): number {
  return Math.min(...windows.map((window) => window.limit - usedIn(sent, window, now)));
}

/** The first moment at which `writes` are free in all windows if no more are sent; as many as they have, if that is less. */
export function freeAt(
  sent: readonly SentBy[],
  windows: readonly ContentWindow[],
  writes: number,
  now: number,
): number {
  return Math.max(...windows.map((window) => freeInWindowAt(sent, window, writes, now)));
}

/** The window that keeps a write waiting longest, or that has least to give. */
export function tightestWindow(sent: readonly SentBy[], windows: readonly ContentWindow[], now: number): ContentWindow {
  return windows.reduce((tightest, window) => {
    const later = freeInWindowAt(sent, window, 1, now) - freeInWindowAt(sent, tightest, 1, now);
    const scarcer = freeIn(sent, [tightest], now) - freeIn(sent, [window], now);
    return (later || scarcer) > 0 ? window : tightest;
  });
}

function freeInWindowAt(sent: readonly SentBy[], window: ContentWindow, writes: number, now: number): number {
  let excess = usedIn(sent, window, now) - window.limit + Math.min(writes, window.limit);
  if (excess <= 0) return now;
  for (const [at, of] of sent) {
    const endsAt = at + window.lastsMs + UNSURE_MS;
    if (endsAt <= now) continue;
    excess -= of;
    if (excess <= 0) return endsAt;
  }
  return now;
}
