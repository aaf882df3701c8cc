import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";

/**
 * The key is public: it only keeps our fingerprints apart from hashes of the same token published elsewhere. Tokens are
 * random enough not to be guessed from a keyed hash. Changing it changes every name in every store.
 */
const DOMAIN = "octokit-plugin-squad-rate/credential/v1";
const HEX_DIGITS = 32; // 128 bits

/**
 * A name for a credential that agrees on all machines and does not reveal it: HMAC-SHA-256 under a fixed domain key, cut
 * to 128 bits, in hex. The only form in which a credential may reach a store, a trace or a log.
 */
export function fingerprint(secret: string): string {
  return createHmac("sha256", DOMAIN).update(secret, "utf8").digest("hex").slice(0, HEX_DIGITS);
}

/** Remembers the fingerprints of the secrets last seen; nothing enumerable, so that no log or dump shows a secret. */
export class FingerprintMemo {
  readonly #known: LRUCache<string, string>;

  /** @param maxEntries - how many secrets are kept in memory at most */
  constructor(maxEntries: number) {
    this.#known = new LRUCache({ max: maxEntries });
  }

  /** How many secrets are held now. */
  get size(): number {
    return this.#known.size;
  }

  /** {@link fingerprint} of `secret`. */
  of(secret: string): string {
    let known = this.#known.get(secret);
    if (known === undefined) {
      known = fingerprint(secret);
      this.#known.set(secret, known);
    }
    return known;
  }

  /** Forgets every secret. */
  clear(): void {
    this.#known.clear();
  }
}
