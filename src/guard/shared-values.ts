import { isSquadRateError } from "../errors.js";
import { reportFault } from "../pipeline/fault.js";
import { type Claim, type Claimed, claim, LEASE_MS, land, release, renew } from "../policy/guard-claim.js";
import {
  type GuardDocument,
  type GuardedValue,
  MAX_VALUE_CHARACTERS,
  parseGuardDocument,
} from "../policy/guard-document.js";
import { atomicUpdate, readDocument } from "../store/atomic-update.js";
import { unreadableDocument } from "../store/document.js";
import type { Store } from "../store/store.js";

/** What {@link SharedValues} are made with. */
export interface SharedValuesOptions {
  readonly open: () => Promise<Store>;
  /** No value stays in the store for longer. */
  readonly maxTtlMs: number;
}

/** One guarded value in the store, and the caller's word on how long it is good for. */
export interface SharedPlace {
  readonly key: string;
  readonly maxAgeMs: number;
}

const MIN_TTL_MS = 1_000;

/**
 * The values that processes share, and who of them produces. Nothing here fails for the store: undefined stands for a
 * store that did not answer in its time, or for a document of a later version of this package, which is left alone. One
 * that nobody can read is replaced.
 */
export class SharedValues {
  readonly #options: SharedValuesOptions;

  constructor(options: SharedValuesOptions) {
    this.#options = options;
  }

  async read(key: string): Promise<{ readonly doc: GuardDocument | undefined } | undefined> {
    return unlessItFails(async () => {
      const stored = await readDocument(await this.#options.open(), storeKey(key));
      return { doc: parsed(key, stored) };
    });
  }

  claim({ key, maxAgeMs }: SharedPlace, wish: Claim, now: () => number): Promise<Claimed | undefined> {
    const ttlMs = Math.max(this.#ttlMs(maxAgeMs), 2 * LEASE_MS);
    return this.#update(key, ttlMs, (doc) => {
      const result = claim(doc, wish, now());
      return { next: result.kind === "granted" ? result.doc : undefined, result };
    });
  }

  /** Says that the producer lives; false when somebody else has the claim. */
  renew({ key, maxAgeMs }: SharedPlace, id: string, now: () => number): Promise<boolean | undefined> {
    const ttlMs = Math.max(this.#ttlMs(maxAgeMs), 2 * LEASE_MS);
    return this.#update(key, ttlMs, (doc) => {
      const next = renew(doc, id, now());
      return { next, result: next !== undefined };
    });
  }

  /** Gives the claim back without a value. */
  async release({ key, maxAgeMs }: SharedPlace, id: string): Promise<void> {
    await this.#update(key, this.#ttlMs(maxAgeMs), (doc) => ({ next: release(doc, id), result: undefined }));
  }

  /** Stores a value and gives the claim back; a value that is too long only the latter. */
  async land({ key, maxAgeMs }: SharedPlace, id: string, value: GuardedValue, beganAt: number): Promise<void> {
    const fits = value.text.length <= MAX_VALUE_CHARACTERS;
    await this.#update(key, this.#ttlMs(maxAgeMs), (doc) => ({
      next: fits ? land(doc, id, value, beganAt) : release(doc, id),
      result: undefined,
    }));
  }

  #update<Result>(
    key: string,
    ttlMs: number,
    change: (doc: GuardDocument | undefined) => { readonly next: GuardDocument | undefined; readonly result: Result },
  ): Promise<Result | undefined> {
    return unlessItFails(async () => {
      const store = await this.#options.open();
      let result: Result | undefined;
      await atomicUpdate(
        store,
        storeKey(key),
        (current) => {
          const step = change(parsed(key, current));
          result = step.result;
          return step.next === undefined ? undefined : { ...step.next };
        },
        { ttlMs },
      );
      return result;
    });
  }

  #ttlMs(maxAgeMs: number): number {
    return Math.max(MIN_TTL_MS, Math.min(maxAgeMs, this.#options.maxTtlMs));
  }
}

/** Undefined for a document that is absent or cannot be read, which is as good as absent. */
function parsed(key: string, stored: unknown): GuardDocument | undefined {
  if (stored === undefined) return undefined;
  const found = parseGuardDocument(stored);
  if (found.kind === "newer") throw unreadableDocument(storeKey(key), "a later version of this package has written it");
  if (found.kind === "ok") return found.doc;
  reportFault(`a guarded value in the store is unreadable and will be replaced: ${found.why}`, undefined);
  return undefined;
}

async function unlessItFails<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    // A store that was closed has not failed.
    if (!isSquadRateError(error) || error.code !== "SQUAD_RATE_CLOSED") {
      reportFault("a guarded value is not shared: the store failed", error);
    }
    return undefined;
  }
}

function storeKey(key: string): string {
  return `squad-rate:guard:${key}`;
}
