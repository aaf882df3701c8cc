import type { Priority } from "../light.js";

/** Classes in the order in which units are held for them. */
export const PRIORITIES: readonly [0, 1, 2] = [0, 1, 2];

/** The version of the documents that this code writes and reads. */
export const DOCUMENT_VERSION = 1;

/** Ten times the largest fleet this is meant for; who comes to a full document is listed when others have gone. */
export const MAX_SPENDERS = 5_000;

/** A number per class, P0 first. */
export type PerClass<T> = readonly [T, T, T];

/** What one class of one spender holds, and how much more it expects to need. */
export interface ClassAllocation {
  /** Units moved to the spender in this window: spent, in flight, or still to be spent. */
  readonly allocated: number;
  /** Of those, units spent or in flight when the spender reported last. */
  readonly used: number;
  /** Of `used`, units of calls that had not been answered. */
  readonly inFlight: number;
  /** Units that waiting calls were about to spend when the spender reported last. */
  readonly soon: number;
  /** Units that its calls are expected to be charged, per hour. */
  readonly wantPerHour: number;
  /** Units that waiting calls need. */
  readonly waiting: number;
}

/** One spender's part of the quota. `allocated` and `used` are the sums over its classes. */
export interface Allocation {
  /** The most urgent class it has. */
  readonly priority: Priority;
  readonly allocated: number;
  readonly used: number;
  /** GitHub time, epoch milliseconds. When its silence begins to mean that it is dead. */
  readonly leaseExpiry: number;
  /** Nothing of `allocated` is sent after it, whether or not the spender has heard the newest grant. */
  readonly spendUntil: number;
  /** GitHub time, epoch milliseconds. */
  readonly reportedAt: number;
  /** The revision with which its counts began; a report of another stint has missed that they did. */
  readonly stint: number;
  /** The limit of the spender's credential; 0 while it has seen no header. */
  readonly limit: number;
  /** A request sent before `spendUntil` is charged at most this much later. */
  readonly requestTimeoutMs: number;
  /** Units that it gave back in this window though they may have been charged. */
  readonly writtenOff: number;
  /** Keyed by priority; a class without demand or units is absent. */
  readonly classes: { readonly [P in Priority]?: ClassAllocation };
}

/**
 * How one resource's quota of one principal is shared. Holds counts, times and spender ids; never a token. Unless said
 * otherwise times are epoch milliseconds on GitHub's clock.
 */
export interface QuotaDocument {
  readonly version: typeof DOCUMENT_VERSION;
  /** Goes up by one with every change; this is what an atomic update compares. */
  readonly revision: number;
  readonly updatedAt: number;
  /** The largest limit that any spender's headers named; 0 before the first header. */
  readonly totalLimit: number;
  /** How long this resource's windows last. */
  readonly windowMs: number;
  /** Counts the windows; grants and reports name the one they are of. */
  readonly window: number;
  /** When this window ends; `null` until a charged answer has told. */
  readonly resetAt: number | null;
  /** When the window before ended; 0 when none is known. A header that names it is late. */
  readonly previousResetAt: number;
  /** The most units that a header of this window has shown, whoever spent them. */
  readonly used: number;
  /** When that was; 0 before the first header of any window. */
  readonly usedAt: number;
  /** `used` counts whatever had been charged by then. */
  readonly countedAt: number;
  /** Units that were used before the pool began to watch this window: no measure of anybody's rate. */
  readonly usedBefore: number;
  /** Since when hidden use is measured in this window. */
  readonly watchedSince: number;
  /** Hidden use expected from earlier windows, units per hour. */
  readonly hiddenPerHour: number;
  /** When a call was last let go to find out what nobody knows; 0: never. */
  readonly probedAt: number;
  /** Until when nobody may send, after a secondary refusal; as late a word as anybody who wrote here had heard. 0: none. */
  readonly blockedUntil: number;
  /** Units spent, in this window, by spenders that are no longer listed, per class. */
  readonly retired: PerClass<number>;
  /** Units of theirs that came back to the pool in this window though they may have been charged. */
  readonly writtenOff: number;
  /** Keyed by spender id. */
  readonly allocations: { readonly [spender: string]: Allocation };
}

/** A document for a quota of which nothing is known yet. */
export function emptyQuotaDocument(windowMs: number): QuotaDocument {
  return {
    version: DOCUMENT_VERSION,
    revision: 0,
    updatedAt: 0,
    totalLimit: 0,
    windowMs,
    window: 1,
    resetAt: null,
    previousResetAt: 0,
    used: 0,
    usedAt: 0,
    countedAt: 0,
    usedBefore: 0,
    watchedSince: 0,
    hiddenPerHour: 0,
    probedAt: 0,
    blockedUntil: 0,
    retired: [0, 0, 0],
    writtenOff: 0,
    allocations: {},
  };
}
