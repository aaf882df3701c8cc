import { LRUCache } from "lru-cache";
import { isLater } from "../policy/guard-claim.js";
import type { GuardedValue } from "../policy/guard-document.js";

const MAX_BYTES = 16 * 1024 * 1024;
/** What a value takes beside its text. */
const OVERHEAD_BYTES = 512;

/** The values that this process has produced or was given, as far as they find room. */
export class RememberedValues {
  readonly #values = new LRUCache<string, GuardedValue>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ text }) => OVERHEAD_BYTES + 2 * text.length,
  });

  get(key: string): GuardedValue | undefined {
    return this.#values.get(key);
  }

  /** Keeps a value whose production began at `beganAt`, unless a later one has overtaken it. */
  keep(key: string, value: GuardedValue, beganAt: number = value.producedAt): void {
    if (!isLater(this.#values.get(key), beganAt)) this.#values.set(key, value);
  }
}
