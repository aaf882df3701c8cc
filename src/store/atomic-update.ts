import { SquadRateError } from "../errors.js";
import type { Document } from "./document.js";
import type { Store } from "./store.js";
import type { Change } from "./update-queue.js";

/** Settings of {@link atomicUpdate}. */
export interface UpdateOptions {
  /**
   * How long the document lives from this change on, in milliseconds, at least 1,000; judged by the clocks of the
   * machines that share it (by the server's on Redis), so leave room for their differences.
   * @defaultValue for ever
   */
  readonly ttlMs?: number | undefined;
}

/** All keys of this package, so that they stand apart in a store that holds others' keys too. */
const PREFIX = "squad-rate:";
/** Postgres keeps keys of up to 255 characters. */
const MAX_KEY_CHARACTERS = 240;

/**
 * Changes a document that processes share, without losing anybody's change: read, changed and written as one step. The
 * document's `revision` grows with each change: by one, or to the revision that `change` returned if that is higher.
 *
 * @returns the document as it is after this change.
 * @throws SquadRateError `SQUAD_RATE_STORE` when the store failed or did not answer within its timeout (the message says
 * whether the change may have been made all the same), or holds something under the key that is not a document;
 * `SQUAD_RATE_CLOSED` after `close()`. What `change` throws is thrown as it is.
 *
 * @example
 * ```ts
 * const store = await openStore("redis://127.0.0.1");
 * await atomicUpdate(store, "squad-rate:example", (current) => ({ seen: Number(current?.seen ?? 0) + 1 }));
 * ```
 */
export async function atomicUpdate(
  store: Store,
  key: string,
  change: Change,
  options: UpdateOptions = {},
): Promise<Document | undefined> {
  checkKey(key);
  const { ttlMs } = options;
  if (ttlMs !== undefined && !(Number.isFinite(ttlMs) && ttlMs >= 1_000)) {
    throw new SquadRateError("SQUAD_RATE_OPTIONS", `ttlMs must be at least 1,000 milliseconds; got ${String(ttlMs)}.`);
  }
  return store.updates.update(key, change, ttlMs);
}

/**
 * Reads a document; undefined when there is none or its time to live is over.
 *
 * @throws SquadRateError as {@link atomicUpdate} does; an unreadable document is never taken for an absent one.
 */
export async function readDocument(store: Store, key: string): Promise<Document | undefined> {
  checkKey(key);
  return store.updates.read(key);
}

function checkKey(key: string): void {
  if (key.startsWith(PREFIX) && key.length <= MAX_KEY_CHARACTERS && /^[\x21-\x7e]+$/.test(key)) return;
  throw new SquadRateError(
    "SQUAD_RATE_OPTIONS",
    `A document's key must begin with ${PREFIX} and be at most ${MAX_KEY_CHARACTERS} printable ASCII characters; got ${JSON.stringify(key.slice(0, 60))}.`,
  );
}
