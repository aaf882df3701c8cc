import { LRUCache } from "lru-cache";
import type { Variant } from "../cache/variant.js";

/** What the most wanted answers take at most; the cache itself keeps them as text. */
const MAX_BYTES = 33_554_432;

/**
 * Bodies of kept answers as they are written, one for all who read it: made anew for each, a page that many clients poll
 * would be most of what a proxy allocates, and clients that do not read would each hold a copy.
 */
export class KeptBytes {
  readonly #bytes = new LRUCache<Variant, Buffer>({
    maxSize: MAX_BYTES,
    sizeCalculation: (bytes) => Math.max(1, bytes.byteLength),
  });

  /** Not to be written to. */
  of(variant: Variant): Buffer {
    let bytes = this.#bytes.get(variant);
    if (bytes === undefined) {
      bytes = Buffer.from(variant.body);
      this.#bytes.set(variant, bytes);
    }
    return bytes;
  }
}
