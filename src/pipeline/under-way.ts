import type { Clock } from "../clock.js";

/** Counts exchanges that have been sent and not answered, and tells when there are none. */
export class UnderWay {
  #size = 0;
  readonly #waiting = new Set<() => void>();

  get size(): number {
    return this.#size;
  }

  begin(): void {
    this.#size++;
  }

  end(): void {
    this.#size--;
    if (this.#size > 0) return;
    for (const done of this.#waiting) done();
  }

  /** Resolves when nothing is under way any more, or after `timeoutMs`. */
  settled(clock: Clock, timeoutMs: number): Promise<void> {
    if (this.#size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        this.#waiting.delete(done);
        resolve();
      };
      const cancel = clock.timer(timeoutMs, done);
      this.#waiting.add(done);
    });
  }
}
