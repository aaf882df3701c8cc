import { SquadRateError } from "../errors.js";
import { atomicUpdate } from "../store/atomic-update.js";
import { type Document, isUnreadableDocument } from "../store/document.js";
import type { Store } from "../store/store.js";
import { storeError } from "../store/store-error.js";
import type { Changed, PoolDocuments, UpdateOutcome } from "./documents.js";

/** Whether the store answers. Times are monotonic milliseconds. */
export type StoreHealth =
  | { readonly kind: "unknown" }
  | { readonly kind: "well" }
  | { readonly kind: "lost"; readonly sinceMono: number; readonly error: SquadRateError };

/** What {@link StoreDocuments} are made with. */
export interface StoreDocumentsOptions {
  readonly open: () => Promise<Store>;
  /** The store's address as it may be shown. */
  readonly where: string;
  readonly monotonic: () => number;
  /** The store has stopped answering, or answers again. */
  readonly onHealth: (health: StoreHealth, before: StoreHealth) => void;
}

/** A document nobody has changed for so long is of no window any more, and of no member. */
const DOCUMENT_TTL_MS = 2 * 24 * 3_600_000;

/** The pool's documents in a real store, and whether it answers. */
export class StoreDocuments implements PoolDocuments {
  readonly #options: StoreDocumentsOptions;
  #health: StoreHealth = { kind: "unknown" };

  constructor(options: StoreDocumentsOptions) {
    this.#options = options;
  }

  get health(): StoreHealth {
    return this.#health;
  }

  update<Result>(
    key: string,
    change: (doc: unknown) => Changed<Result>,
    done: (outcome: UpdateOutcome<Result>) => void,
  ): void {
    void this.#update(key, change).then(done);
  }

  async #update<Result>(key: string, change: (doc: unknown) => Changed<Result>): Promise<UpdateOutcome<Result>> {
    let last: { readonly result: Result } | { readonly error: unknown } | undefined;
    try {
      const store = await this.#options.open();
      const step = (current: Document | undefined): Document | undefined => {
        try {
          const { doc, result } = change(current);
          last = { result };
          return doc as Document | undefined;
        } catch (error) {
          last = { error };
          throw error;
        }
      };
      await atomicUpdate(store, key, step, { ttlMs: DOCUMENT_TTL_MS });
    } catch (cause) {
      // The store did its part when it was the document that nobody could read or change.
      if (isUnreadableDocument(cause) || (last !== undefined && "error" in last && last.error === cause)) {
        this.#answered();
        return { kind: "failed", error: cause };
      }
      const error = storeError(this.#options.where, `update ${key}`, cause);
      this.#failed(error);
      return { kind: "failed", error };
    }
    this.#answered();
    if (last === undefined || "error" in last) {
      return { kind: "failed", error: new SquadRateError("SQUAD_RATE_STORE", `The update of ${key} was not made.`) };
    }
    return { kind: "done", result: last.result };
  }

  #answered(): void {
    if (this.#health.kind === "well") return;
    const before = this.#health;
    this.#health = { kind: "well" };
    this.#options.onHealth(this.#health, before);
  }

  #failed(error: SquadRateError): void {
    // A store that was closed is not lost.
    if (this.#health.kind === "lost" || error.code === "SQUAD_RATE_CLOSED") return;
    const before = this.#health;
    this.#health = { kind: "lost", sinceMono: this.#options.monotonic(), error };
    this.#options.onHealth(this.#health, before);
  }
}
