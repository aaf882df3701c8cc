import type { CancelTimer, Clock } from "../clock.js";

/** One timer that is moved to when something is due next. It does not keep the process alive. */
export class ContentTimer {
  readonly #clock: Clock;
  readonly #onDue: () => void;
  #cancel: CancelTimer | undefined;
  /** Monotonic. */
  #dueMono = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, onDue: () => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** `dueMono`: monotonic; `Infinity`: nothing is due. */
  set(dueMono: number): void {
    // The same moment, reckoned from two clocks, differs by what they are rounded by.
    if (dueMono === this.#dueMono || Math.abs(dueMono - this.#dueMono) < 1) return;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#dueMono = dueMono;
    if (dueMono === Number.POSITIVE_INFINITY) return;
    const due = (): void => {
      this.#dueMono = Number.POSITIVE_INFINITY;
      this.#cancel = undefined;
      this.#onDue();
    };
    this.#cancel = this.#clock.timer(dueMono - this.#clock.monotonic(), due, { unref: true });
  }
}
