import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.js";
import { isSame } from "../policy/guard-claim.js";
import type { GuardedValue } from "../policy/guard-document.js";

const MAX_BYTES = 16 * 1024 * 1024;
/** What a value takes beside its text. */
const OVERHEAD_BYTES = 512;

/** A value, and since when this process has it, in monotonic milliseconds. */
export interface RememberedValue {
  readonly value: GuardedValue;
  readonly since: number;
}

/** The values that this process has produced or was given, as far as they find room. */
export class RememberedValues {
  readonly #clock: Clock;
  readonly #values = new LRUCache<string, RememberedValue>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ value }) => OVERHEAD_BYTES + 2 * value.text.length,
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string): RememberedValue | undefined {
    return this.#values.get(key);
  }

  /**
   * Keeps a value that fits what reads have just said, or whose production began at `beganAt` (monotonic), unless another
   * has come since then.
   */
  keep(key: string, value: GuardedValue, beganAt: number = this.#clock.monotonic()): void {
    const known = this.#values.get(key);
    if (known !== undefined && (known.since > beganAt || isSame(value, known.value))) return;
    this.#values.set(key, { value, since: this.#clock.monotonic() });
  }

  /** Keeps a value for when reads fail, unless the known one is as new. */
  keepInReserve(key: string, value: GuardedValue): void {
    const known = this.#values.get(key);
    if (known === undefined || known.value.producedAt < value.producedAt) this.keep(key, value);
  }
}
