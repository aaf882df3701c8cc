import { formatDuration } from "../words.js";
import { book, sentSecond } from "./booking.js";
import type { SentBy } from "./document.js";
import { type ContentLimits, type ContentWindow, freeAt, freeIn, tightestWindow, windowsOf } from "./windows.js";

/** What {@link decideAlone} decides on. Times are GitHub's, epoch milliseconds. */
export interface AloneQuestion {
  /** What all processes had sent when the document was last seen; empty when it never was. */
  readonly sent: readonly SentBy[];
  /** When this process sent, or may send, the writes that the document does not know of. */
  readonly own: readonly number[];
  /** How many processes share the limits, this one included. */
  readonly processes: number;
  readonly limits: ContentLimits;
  /** More urgent writes of this process that come before this one. */
  readonly before: number;
  readonly now: number;
}

/** Whether a process may send one more content write that it cannot tell the others of. */
export type AloneDecision =
  | { readonly kind: "go" }
  | { readonly kind: "wait"; readonly untilAt: number; readonly why: string };

/**
 * Without the document each process has an even part of what the document showed to be left, and of the whole limits once
 * that is an hour ago. Where processes outnumber a limit, the window is longer instead, so that it is kept by all together.
 */
export function decideAlone({ sent, own, processes, limits, before, now }: AloneQuestion): AloneDecision {
  const sharers = Math.max(1, Math.ceil(processes));
  const windows = windowsOf(limits).map((window) => widened(window, sharers));
  // Every process sends as many, so one's own count for all.
  const all = own.reduce((counted, at) => book(counted, sentSecond(at), sharers), sent);
  const wanted = sharers * (before + 1);
  if (freeIn(all, windows, now) >= wanted) return { kind: "go" };
  const untilAt = Math.max(now + 1, freeAt(all, windows, wanted, now));
  const { name } = tightestWindow(all, windows, now);
  const limit = name === "minute" ? limits.contentPerMinute : limits.contentPerHour;
  const part = sharers === 1 ? "" : `, an even part of which is this one's of ${sharers} processes`;
  const next = formatDuration(untilAt - now);
  return {
    kind: "wait",
    untilAt,
    why: `GitHub takes ${Math.floor(limit)} content writes in a ${name}${part}; the next is free in ${next}`,
  };
}

function widened(window: ContentWindow, sharers: number): ContentWindow {
  if (sharers <= window.limit) return window;
  return { ...window, limit: sharers, lastsMs: (window.lastsMs * sharers) / window.limit };
}
