import type { Priority } from "../policy/light.js";
import type { SecondaryCall } from "../policy/secondary.js";
import type { SpendTicket } from "../policy/spender.js";
import type { ContentSlot, ContentWrites } from "../pool/content-writes.js";
import type { PoolSpender } from "../pool/pool-spender.js";
import type { ExchangeEnd } from "../pool/spend-word.js";
import type { TrackedWindow } from "./principal.js";

/** Units that the pool let this call spend. */
export interface PooledUnits {
  readonly spender: PoolSpender;
  readonly priority: Priority;
  readonly ticket: SpendTicket;
}

/** A content write that the pool let this call send. */
export interface TakenContent {
  readonly of: ContentWrites;
  readonly slot: ContentSlot;
}

/** What a {@link Permit} holds. */
export interface Holds {
  /** Undefined: the call needs nothing. */
  readonly window: TrackedWindow | undefined;
  readonly units: number;
  /** Undefined where nobody shares the quota. */
  readonly pooled: PooledUnits | undefined;
  /** Its part in what the secondary limits allow; undefined where they are not minded. */
  readonly secondary: SecondaryCall | undefined;
  /** When it was admitted, in local time. */
  readonly begunAt: number;
  /** Undefined for what creates no content, and where nobody shares the limit. */
  readonly content: TakenContent | undefined;
  /** Which opening of the breaker it is to find out about, if it is. */
  readonly probe: number | undefined;
}

/** How the request was met that a permit was for. */
export type Met = "answered" | "refused" | "unanswered";

const UNSENT: ExchangeEnd = { answered: false, charged: 0, header: undefined };

/** A permit for a call that needs none. */
export const NOTHING_HELD: Holds = {
  window: undefined,
  units: 0,
  pooled: undefined,
  secondary: undefined,
  begunAt: 0,
  content: undefined,
  probe: undefined,
};

/** One call's hold on what it may use of GitHub's limits, from its admission until its exchange is answered. */
export class Permit {
  readonly #holds: Holds;
  #held = true;

  constructor(holds: Holds) {
    this.#holds = holds;
    if (holds.window !== undefined) holds.window.reservedUnits += holds.units;
  }

  get window(): TrackedWindow | undefined {
    return this.#holds.window;
  }

  get units(): number {
    return this.#holds.units;
  }

  get pooled(): PooledUnits | undefined {
    return this.#holds.pooled;
  }

  /** The request is about to leave. */
  sent(): void {
    const { content } = this.#holds;
    content?.of.sent(content.slot);
  }

  /** Nothing was sent with it: what it holds goes to whoever asks next. */
  release(githubNow: number): void {
    if (!this.#held) return;
    const { window, secondary, begunAt, content } = this.#holds;
    content?.of.release(content.slot);
    if (secondary !== undefined) window?.principal.secondary.undo(secondary, begunAt);
    this.#probeEnded("unanswered", githubNow);
    this.#settle(UNSENT);
  }

  /**
   * An exchange has ended with it; what was really spent is in GitHub's own headers by then.
   *
   * @param end What it did to the window's quota; undefined when that was of another window.
   */
  settle(end: ExchangeEnd | undefined, met: Met, durationMs: number, githubNow: number): void {
    if (!this.#held) return;
    const { window, secondary } = this.#holds;
    if (secondary !== undefined) window?.principal.secondary.end(secondary, durationMs);
    this.#probeEnded(met, githubNow);
    this.#settle(end ?? UNSENT);
  }

  #probeEnded(how: Met, githubNow: number): void {
    const { window, probe } = this.#holds;
    if (probe !== undefined) window?.breaker.step({ kind: "probe-ended", probe, how }, githubNow);
  }

  #settle(end: ExchangeEnd): void {
    this.#held = false;
    const { window, units, pooled } = this.#holds;
    if (window !== undefined) window.reservedUnits -= units;
    pooled?.spender.settle(pooled.ticket, pooled.priority, end);
  }
}
