import type { Priority } from "../light.js";
import type { PerClass, QuotaDocument } from "./quota-document.js";

/** How quota is divided: `lend` hands out what others do not need; `fixed` is a plain split by class and spender. */
export type ShareMode = "lend" | "fixed";

/** The newest rate headers that a spender has seen. Times are GitHub's clock, epoch milliseconds. */
export interface SeenQuota {
  readonly limit: number;
  readonly used: number;
  readonly resetAt: number;
  /** When the answer came. */
  readonly at: number;
  /** When its request was sent: whatever had been charged by then is counted. As good as `at` where nobody says. */
  readonly sentAt?: number;
}

/** One class of a spender, counted for the window that the report names. */
export interface ClassReport {
  /** Units that answers have charged. */
  readonly spent: number;
  /** Units of calls sent and not answered. */
  readonly inFlight: number;
  /** Units granted and kept; what was granted and is neither spent, in flight nor kept goes back to the pool. */
  readonly balance: number;
  /** Units charged already in a window that follows the one the report names. */
  readonly spentAhead: number;
  /** Expected charges, units per hour. */
  readonly wantPerHour: number;
  /** Units that waiting calls need. */
  readonly waiting: number;
  /** Units that the first of them needs at once; 0 when none waits. */
  readonly firstUnits: number;
  /** How often in a row this class has asked in vain. */
  readonly denials: number;
  /** Whether more units are wanted now. */
  readonly asks: boolean;
}

/** What a spender tells the pool at every update. */
export interface ShareReport {
  /** Unique in the pool. */
  readonly spender: string;
  /** The length of this resource's windows, and whether a header has told it; a length that is only expected gives way. */
  readonly windowMs: number;
  readonly windowMeasured: boolean;
  /** The limit that this credential's headers name; undefined before the first. */
  readonly limit: number | undefined;
  /** Whether `now` is GitHub's time, by a `Date` header, and not merely this machine's. */
  readonly clockKnown: boolean;
  readonly requestTimeoutMs: number;
  /** The window that the counts are of; undefined before the first grant. */
  readonly window: number | undefined;
  /** The stint that the counts are of, as the newest grant named it; undefined before the first. */
  readonly stint: number | undefined;
  readonly classes: PerClass<ClassReport>;
  /** When the report was made; the spender may have sent more since. */
  readonly madeAt: number;
  /** Until when the spender may send by the newest grant that it has heard; 0 before the first. */
  readonly spendUntil: number;
  /** Units that were set aside for requests without an answer and went back to the pool in this window. */
  readonly writtenOff: number;
  readonly header: SeenQuota | undefined;
  readonly mode: ShareMode;
  /** Until when nobody may send, as far as this process has heard; 0: nothing heard. */
  readonly blockedUntil: number;
  /** The spender ends: nothing is in flight, everything unspent goes back, no lease remains. */
  readonly closing: boolean;
}

/** What a spender is told. Times are GitHub's clock, epoch milliseconds. */
export interface ShareGrant {
  readonly window: number;
  /** To be named in the next report. */
  readonly stint: number;
  /** The length of this resource's windows, as far as anybody knows it. */
  readonly windowMs: number;
  /**
   * `continued`: `units` come on top of the balance reported. `restarted`: the balance is void, what was spent belongs to
   * the past, and calls in flight are all that counts so far.
   */
  readonly kind: "continued" | "restarted";
  readonly units: PerClass<number>;
  /** For a class that asked and got nothing: when to ask again. */
  readonly retryAt: PerClass<number | undefined>;
  /** Nothing may be sent from this moment on without a newer grant. */
  readonly spendUntil: number;
  /** When the next report is due if units are in hand. */
  readonly reportBy: number;
  readonly resetAt: number | undefined;
  readonly previousResetAt: number;
  /** Until when nobody may send, as far as anybody has told; 0: nobody has. */
  readonly blockedUntil: number;
  /** Units that are neither spent nor held by any spender, whatever they are reserved for. */
  readonly unheld: number;
  /** This spender's entitlement by class, as a share (0-1) of the limit, for pacing itself when the store is lost. */
  readonly share: PerClass<number>;
}

/** Something worth telling that an update did. */
export type ShareEvent =
  /** The window's end is known. */
  | { readonly kind: "window-opened"; readonly window: number; readonly resetAt: number }
  /** The window before is over. `used` is the most that headers of it have shown. */
  | { readonly kind: "window-turned"; readonly window: number; readonly used: number; readonly hiddenPerHour: number }
  /** The window was taken for over by a machine whose clock was fast, and is not. */
  | { readonly kind: "window-reopened"; readonly window: number; readonly resetAt: number }
  /** A spender was silent past its lease; what it had not spent is back in the pool. */
  | { readonly kind: "retired"; readonly spender: string; readonly returnedUnits: number }
  /** The store was away, or everybody was silent: nobody is taken for dead before they had time to come back. */
  | { readonly kind: "leases-extended"; readonly spenders: number; readonly silentMs: number }
  /** This spender was retired, and starts anew. */
  | { readonly kind: "came-back"; readonly spender: string }
  /** Units beyond the class's entitlement. */
  | { readonly kind: "lent"; readonly priority: Priority; readonly units: number }
  | { readonly kind: "denied"; readonly denial: Denial };

/** Why a class that asked got nothing, in numbers. */
export interface Denial {
  readonly priority: Priority;
  readonly retryAt: number;
  readonly limit: number;
  /** Units that are neither spent, held by a spender nor reserved for hidden use. */
  readonly freeUnits: number;
  /** Of those, held for the recorded need of other classes. */
  readonly heldUnits: number;
  readonly reservedForHiddenUnits: number;
  /** Nobody knows the state of the window; a call is on its way to find out. */
  readonly probing: boolean;
}

/** The outcome of one update: what to write, what the spender may do, and what is worth telling. */
export interface ShareUpdate {
  readonly doc: QuotaDocument;
  readonly grant: ShareGrant;
  /** The soonest of the classes' `retryAt`; undefined when nobody was denied. */
  readonly retryAt: number | undefined;
  readonly events: readonly ShareEvent[];
}
