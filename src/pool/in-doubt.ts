import type { CancelTimer, Clock } from "../clock.js";

interface Held {
  readonly dueMono: number;
  readonly settle: (isCharged: boolean) => void;
}

/**
 * Requests that failed without an answer, for as long as GitHub may still charge them. Nobody knows whether they arrived:
 * to take them for charged would let an agent behind a broken proxy use up the quota of all without sending a byte.
 *
 * One timer serves them all. It does not keep the process alive.
 */
export class InDoubt {
  readonly #clock: Clock;
  readonly #forMs: number;
  /** In the order in which their time is up. */
  readonly #held: Held[] = [];
  #cancelTimer: CancelTimer | undefined;

  constructor(clock: Clock, forMs: number) {
    this.#clock = clock;
    this.#forMs = forMs;
  }

  /** Calls `settle` once: when the time is up, as not charged; when this is closed before, as charged, which is the safe side. */
  hold(settle: (isCharged: boolean) => void): void {
    this.#held.push({ dueMono: this.#clock.monotonic() + this.#forMs, settle });
    if (this.#cancelTimer === undefined) this.#arm(this.#forMs);
  }

  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (const { settle } of this.#held.splice(0)) settle(true);
  }

  #arm(ms: number): void {
    this.#cancelTimer = this.#clock.timer(ms, () => this.#wake(), { unref: true });
  }

  #wake(): void {
    this.#cancelTimer = undefined;
    const nowMono = this.#clock.monotonic();
    const over = this.#held.findIndex(({ dueMono }) => dueMono > nowMono);
    const due = this.#held.splice(0, over < 0 ? this.#held.length : over);
    const [next] = this.#held;
    if (next !== undefined) this.#arm(next.dueMono - nowMono);
    for (const { settle } of due) settle(false);
  }
}
