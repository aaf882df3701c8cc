import { createHash } from "node:crypto";
import type { Clock } from "../clock.js";
import { withDeadline } from "../store/deadline.js";
import { decodeEntry, encodeEntry, mayUseStore } from "./codec.js";
import { STORED_ANSWERS_PREFIX } from "./stored-answers.js";
import type { Variant } from "./variant.js";

/** What the second tier needs of a Keyv. */
export interface EntryStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown, ttlMs?: number): Promise<unknown>;
  delete(key: string): Promise<unknown>;
  readonly iterator?: ((namespace?: string) => AsyncIterable<readonly [string, unknown]>) | undefined;
}

/** Where a {@link StoreTier} says that something went wrong; nothing that the caller did. */
export type ReportFault = (what: string, cause: unknown) => void;

/** Settings of a {@link StoreTier}. */
export interface StoreTierOptions {
  readonly store: EntryStore;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly ttlMs: number;
  readonly maxEntryBytes: number;
  readonly report: ReportFault;
}

/** After a failure the store is left alone this long: each read would otherwise wait for it in vain. */
const SUSPENSION_MS = 5_000;
/** Writes under way at once; beyond that they are dropped, since a cache may forget. */
const MAX_WRITES = 64;
const KEY_PREFIX = `${STORED_ANSWERS_PREFIX}1:`;

/** A request as the second tier sees it. */
export interface TierRequest {
  readonly key: string;
  readonly url: string;
  readonly accept: string;
}

/**
 * The second tier of the cache: bodies in a Keyv store, shared by processes and machines. A miss, a failure and a forgery
 * look alike from outside: the read goes on as if there were no store.
 */
export class StoreTier {
  readonly #options: StoreTierOptions;
  readonly #writes = new Set<Promise<void>>();
  #suspendedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: StoreTierOptions) {
    this.#options = options;
  }

  async read(request: TierRequest): Promise<Variant | undefined> {
    if (!mayUseStore(request.accept) || this.#isSuspended()) return undefined;
    const value = await this.#attempt("read", (store) => store.get(storeKey(request.key)));
    if (value === undefined || value === null) return undefined;
    const variant = decodeEntry(value, request.url, this.#options.maxEntryBytes);
    if (variant === undefined)
      this.#options.report("a cache entry in the store was not usable and is ignored", undefined);
    return variant;
  }

  /** Stores in the background; never throws. */
  write(request: TierRequest, variant: Variant): void {
    if (!mayUseStore(request.accept) || this.#isSuspended() || this.#writes.size >= MAX_WRITES) return;
    const entry = encodeEntry(variant, request.url);
    if (entry === undefined) return;
    const write = this.#attempt("write", (store) => store.set(storeKey(request.key), entry, this.#options.ttlMs)).then(
      () => {
        this.#writes.delete(write);
      },
    );
    this.#writes.add(write);
  }

  /** Resolves when the writes under way have ended, one way or the other. */
  async flush(): Promise<void> {
    await Promise.all(this.#writes);
  }

  /**
   * Deletes every entry of this package, including those of other processes where the adapter can list its keys. Each step
   * has the store's timeout; rejects when one fails, since whoever clears wants to know.
   */
  async clear(knownKeys: Iterable<string>): Promise<void> {
    const { store, clock, timeoutMs } = this.#options;
    const names = new Set([...knownKeys].map(storeKey));
    if (typeof store.iterator === "function") {
      const listed = store.iterator()[Symbol.asyncIterator]();
      for (;;) {
        const { done, value } = await withDeadline(clock, timeoutMs, listed.next());
        if (done === true) break;
        const name = String(value[0]);
        const start = name.indexOf(KEY_PREFIX);
        // Some adapters list names with their namespace before them.
        if (start !== -1) names.add(name.slice(start));
      }
    }
    for (const name of names) await withDeadline(clock, timeoutMs, store.delete(name));
  }

  async #attempt<T>(what: "read" | "write", work: (store: EntryStore) => Promise<T>): Promise<T | undefined> {
    const { store, clock, timeoutMs, report } = this.#options;
    try {
      return await withDeadline(clock, timeoutMs, work(store));
    } catch (cause) {
      this.#suspendedUntil = clock.monotonic() + SUSPENSION_MS;
      report(`the store failed to ${what} a cache entry; it is left alone for ${SUSPENSION_MS / 1000} s`, cause);
      return undefined;
    }
  }

  #isSuspended(): boolean {
    return this.#options.clock.monotonic() < this.#suspendedUntil;
  }
}

/** Addresses name private repositories and may be longer than a store's keys: they are hashed. */
function storeKey(key: string): string {
  return KEY_PREFIX + createHash("sha256").update(key).digest("hex").slice(0, 32);
}
