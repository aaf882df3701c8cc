/**
 * What is known of `GitHub time − local time`, in milliseconds: every offset from `minMs` to `maxMs` agrees with the
 * answers seen.
 */
export interface ClockOffset {
  readonly minMs: number;
  readonly maxMs: number;
}

/** One answer's word on the time. All three in epoch milliseconds; the first two on the local clock. */
export interface DateSeen {
  readonly sentAt: number;
  readonly receivedAt: number;
  /** The `Date` header: GitHub's time cut to the whole second. */
  readonly dateMs: number;
}

/** What an answer did to the offset. `state` is what to keep, whichever kind it is. */
export type OffsetStep =
  | { readonly kind: "narrowed" | "restarted"; readonly state: ClockOffset }
  | { readonly kind: "ignored"; readonly state: ClockOffset | undefined; readonly why: string };

/** A clock further off than this is a broken header, or a machine whose time says nothing. */
const MAX_OFFSET_MS = 24 * 3_600_000;

/** `Date` has a resolution of one second (RFC 9110 §5.6.7). */
const DATE_RESOLUTION_MS = 1_000;

/**
 * Narrows the offset by one answer. GitHub wrote `Date` somewhere between sending and receiving, and cut it to the
 * second, so the offset lies in `[dateMs − receivedAt, dateMs + 1000 − sentAt]`; many answers together leave a few
 * milliseconds. When an answer contradicts the earlier ones, a clock was set or has drifted: the newest word counts.
 *
 * Not for an answer that a cache in between has stored (one with an `Age` header): its `Date` is of another moment.
 */
export function narrowOffset(state: ClockOffset | undefined, seen: DateSeen): OffsetStep {
  const minMs = seen.dateMs - seen.receivedAt;
  const maxMs = seen.dateMs + DATE_RESOLUTION_MS - seen.sentAt;
  const middleMs = (minMs + maxMs) / 2;
  if (!(Math.abs(middleMs) <= MAX_OFFSET_MS)) {
    return {
      kind: "ignored",
      state,
      why: `GitHub's Date is ${middleMs} ms from the local clock; at most a day is believed`,
    };
  }
  if (seen.receivedAt < seen.sentAt) {
    return { kind: "ignored", state, why: "the local clock was set back during the exchange" };
  }
  if (state === undefined) return { kind: "narrowed", state: { minMs, maxMs } };
  if (minMs <= state.minMs && maxMs >= state.maxMs) return { kind: "narrowed", state };
  const both = { minMs: Math.max(minMs, state.minMs), maxMs: Math.min(maxMs, state.maxMs) };
  return both.minMs <= both.maxMs ? { kind: "narrowed", state: both } : { kind: "restarted", state: { minMs, maxMs } };
}

/** Milliseconds to add to local time to have GitHub's: the middle of what is possible, 0 while nothing is known. */
export function offsetMs(state: ClockOffset | undefined): number {
  return state === undefined ? 0 : (state.minMs + state.maxMs) / 2;
}
