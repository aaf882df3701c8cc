import { Heap } from "../heap.js";
import type { Observed } from "../observed.js";

/** Is given what was read. */
export type Take = (observed: Observed | undefined) => void;

/** Reads some more; false when there is no more. */
export type Pull = () => Promise<boolean>;

/**
 * One source's records by the time at which they began, as far as a buffer of `capacity` records can put them in order.
 * A record that stands further from its place is given when it comes.
 */
export class Feed {
  readonly #heap = new Heap<Observed>();
  readonly #capacity: number;
  readonly #notBefore: number;
  readonly #open: (take: Take) => Pull;
  #pull: Pull | undefined;
  #ended = false;

  /** `notBefore` says when it need not be opened yet. */
  constructor(capacity: number, notBefore: number, open: (take: Take) => Pull) {
    this.#capacity = capacity;
    this.#notBefore = notBefore;
    this.#open = open;
  }

  /** When its next record began, or before when it does not begin; undefined when there is none left. */
  get next(): number | undefined {
    return this.#pull === undefined ? this.#notBefore : this.#heap.least;
  }

  /** Whether `next` is its next record, as far as the buffer can tell. */
  get isReady(): boolean {
    return this.#ended || this.#heap.size > this.#capacity;
  }

  /** Reads until twice the buffer is there, so that reading comes in batches. */
  async fill(): Promise<void> {
    this.#pull ??= this.#open((observed) => {
      if (observed !== undefined) this.#heap.push(observed.at, observed);
    });
    while (!this.#ended && this.#heap.size <= 2 * this.#capacity) this.#ended = !(await this.#pull());
  }

  pop(): Observed | undefined {
    return this.#heap.pop();
  }
}
