import type { CancelTimer, Clock } from "../clock.js";

/** What tells that a request cannot be charged any more, and whether it was. */
export interface Evidence {
  /** How old the newest header is that this process knows of, its own or another's; `Infinity` when nobody can tell. */
  seenAgoMs(): number;
  /** After this long whatever window a charge fell into is over. */
  windowMs(): number;
}

interface Held {
  /** Monotonic, because an answer may set GitHub's time by hours. */
  readonly dueMono: number;
  readonly settle: (isCharged: boolean) => void;
}

/**
 * Requests that failed without an answer, until a header has counted them if they were charged. Nobody knows whether they
 * arrived: to take them for charged would let an agent behind a broken proxy use up the quota of all without sending a byte,
 * and to take them for free before a header tells could spend their units twice.
 *
 * One timer serves those of which no header ever comes. It does not keep the process alive.
 */
export class InDoubt {
  readonly #clock: Clock;
  readonly #forMs: number;
  readonly #evidence: Evidence;
  /** In the order in which their time is up. */
  readonly #held: Held[] = [];
  #cancelTimer: CancelTimer | undefined;

  /** `forMs`: how long after its failure a request may still be charged. */
  constructor(clock: Clock, forMs: number, evidence: Evidence) {
    this.#clock = clock;
    this.#forMs = forMs;
    this.#evidence = evidence;
  }

  /** Calls `settle` once: as not charged when that is certain or shown; as charged, the safe side, when this is closed before. */
  hold(settle: (isCharged: boolean) => void): void {
    this.#held.push({ dueMono: this.#clock.monotonic() + this.#forMs, settle });
    this.#arm();
  }

  /** A newer header is known. */
  look(): void {
    if (this.#held.length === 0) return;
    const until = this.#clock.monotonic() - Math.min(this.#evidence.seenAgoMs(), this.#evidence.windowMs());
    const first = this.#held.findIndex(({ dueMono }) => dueMono >= until);
    const over = this.#held.splice(0, first < 0 ? this.#held.length : first);
    if (this.#held.length === 0) this.#disarm();
    for (const { settle } of over) settle(false);
  }

  close(): void {
    this.#disarm();
    for (const { settle } of this.#held.splice(0)) settle(true);
  }

  #arm(): void {
    const [first] = this.#held;
    if (first === undefined || this.#cancelTimer !== undefined) return;
    const ms = first.dueMono + this.#evidence.windowMs() - this.#clock.monotonic() + 1;
    this.#cancelTimer = this.#clock.timer(
      ms,
      () => {
        this.#cancelTimer = undefined;
        this.look();
        this.#arm();
      },
      { unref: true },
    );
  }

  #disarm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
