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
  readonly #part: (secret: string) => string;
  #last: { readonly secret: string; readonly name: string } | undefined;

  /**
   * @param maxEntries - how many secrets are kept in memory at most
   * @param part - what of a secret counts; all of it by default
   */
  constructor(maxEntries: number, part: (secret: string) => string = (secret) => secret) {
    this.#known = new LRUCache({ max: maxEntries });
    this.#part = part;
  }

  /** How many secrets are held now. */
  get size(): number {
    return this.#known.size;
  }

  /** {@link fingerprint} of `secret`. */
  of(secret: string): string {
    // Nearly always it is the same one again.
    if (this.#last?.secret === secret) return this.#last.name;
    let name = this.#known.get(secret);
    if (name === undefined) {
      name = fingerprint(this.#part(secret));
      this.#known.set(secret, name);
    }
    this.#last = { secret, name };
    return name;
  }

  /** Forgets every secret. */
  clear(): void {
    this.#last = undefined;
    this.#known.clear();
  }
}
