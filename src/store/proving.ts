import type { Clock } from "../clock.js";
import type { Documents } from "./documents.js";

/** What {@link Proving} is made with. */
export interface ProvingOptions {
  /** Finds out how documents can be changed; see `proveDocuments`. */
  readonly prove: () => Promise<Documents>;
  /** What is to be used from then on, and made known. Called once. */
  readonly proved: (documents: Documents) => Documents;
  readonly clock: Clock;
  /** How long one call of the store may take. */
  readonly timeoutMs: number;
}

/** A proof makes about as many calls, one after the other, of a store that is well. */
const CALLS = 4;
/** Connections are made on first use, and that takes longer than a call. */
const SHORTEST_MS = 2_000;

/**
 * A store's documents, once it is proven how they can be changed. Nothing is concluded from a store that fails, or that
 * does not answer in time: the next to ask has it proven anew. The deadline does not keep the process alive.
 */
export class Proving {
  readonly #options: ProvingOptions;
  #proved: Promise<Documents> | undefined;
  #cancelDeadline: (() => void) | undefined;

  constructor(options: ProvingOptions) {
    this.#options = options;
  }

  /** @throws whatever the proof failed with. */
  documents(): Promise<Documents> {
    this.#proved ??= this.#proveInTime().then(this.#options.proved, (error: unknown) => {
      this.#proved = undefined;
      throw error;
    });
    return this.#proved;
  }

  /** Leaves a proof that is under way to itself. */
  close(): void {
    this.#cancelDeadline?.();
  }

  #proveInTime(): Promise<Documents> {
    const { prove, clock, timeoutMs } = this.#options;
    const deadlineMs = Math.max(CALLS * timeoutMs, SHORTEST_MS);
    return new Promise((resolve, reject) => {
      const late = (): void => reject(new Error(`the store did not answer within ${deadlineMs} ms when it was tried`));
      const cancel = clock.timer(deadlineMs, late, { unref: true });
      this.#cancelDeadline = cancel;
      prove().then(resolve, reject).finally(cancel);
    });
  }
}
