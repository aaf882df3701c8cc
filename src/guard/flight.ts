import { onAbort } from "../call/on-abort.js";
import type { Clock } from "../clock.js";
import type { GuardedValue } from "../policy/guard-document.js";

/** What came of a value on its way. */
export type Landing =
  | { readonly kind: "produced"; readonly value: GuardedValue }
  /** Another call of this process produced it. */
  | { readonly kind: "shared"; readonly value: GuardedValue }
  /** It was there: `unchanged`. Or another process has produced it meanwhile: `shared`. */
  | { readonly kind: "found"; readonly value: GuardedValue; readonly how: "unchanged" | "shared" }
  | { readonly kind: "failed"; readonly error: unknown }
  /** Nothing that fits: the reads are to be made again. */
  | { readonly kind: "again" }
  /** It is still on its way, and the wait is over. */
  | { readonly kind: "over" };

/** Whatever produces for so long hangs. */
export const HUNG_AFTER_MS: number = 5 * 60_000;

/** One value on its way, from this process or another, and the callers that wait for it. */
export class Flight {
  /** What the reads said. */
  readonly signature: string;
  /** This process produces it. */
  isProducing = false;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #landed: Promise<Landing>;
  #land!: (landing: Landing) => void;
  #waiting = 0;

  constructor(clock: Clock, signature: string) {
    this.#clock = clock;
    this.signature = signature;
    this.#startedAt = clock.monotonic();
    this.#landed = new Promise((resolve) => {
      this.#land = resolve;
    });
  }

  /** Nobody waits for it any more. */
  get isAbandoned(): boolean {
    return this.#waiting === 0;
  }

  /** How long it still counts as alive; 0 or less when it hangs. */
  get aliveForMs(): number {
    return this.#startedAt + HUNG_AFTER_MS - this.#clock.monotonic();
  }

  /** Tells those who wait, and those who come later. */
  land(landing: Landing): void {
    this.#land(landing);
  }

  /**
   * Waits until it lands, for at most `ms`. The flight goes on for others when one of `signals` aborts; this caller's wait
   * rejects with its reason.
   */
  wait(ms: number, signals: readonly AbortSignal[]): Promise<Landing> {
    this.#waiting++;
    const undo: (() => void)[] = [];
    const left = new Promise<Landing>((resolve, reject) => {
      if (Number.isFinite(ms)) undo.push(this.#clock.timer(ms, () => resolve({ kind: "over" })));
      for (const signal of signals) undo.push(onAbort(signal, () => reject(signal.reason)));
    });
    return Promise.race([this.#landed, left]).finally(() => {
      this.#waiting--;
      for (const each of undo) each();
    });
  }
}
