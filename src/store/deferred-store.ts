import type { Clock } from "../clock.js";
import { isOpenedStore, type KeyvLike, type StoreLike } from "../options.js";
import { describeAddress, parseStoreAddress } from "./address.js";
import { listKeys } from "./list-keys.js";
import { openStore } from "./open-store.js";
import type { Store, StoreDescription, StoreKeyv } from "./store.js";

/** What a {@link DeferredStore} is made with. */
export interface DeferredStoreOptions {
  /** A store's URI or a Keyv that is ready for use, as `openStore` takes them, or what it returned. */
  readonly target: string | KeyvLike | StoreLike;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeoutMs: number;
  /** Told what whoever runs the program should know; see `openStore`. */
  readonly onWarning: (message: string) => void;
}

/**
 * A store that is opened when it is first needed, so that making a squad is synchronous and loads no driver. The address
 * is checked at once. An opening that failed is tried again with the next call.
 */
export class DeferredStore implements StoreKeyv {
  readonly #options: DeferredStoreOptions;
  /** What can be said of it before it is opened. */
  readonly #unopened: StoreDescription;
  #opening: Promise<Store> | undefined;
  #opened: Store | undefined;
  #warned = false;
  /** Why it could not be opened when that was tried last. */
  #openingFailure: unknown;
  /** Somebody else has opened it, and will close it. */
  readonly #isLent: boolean;

  /** @throws SquadRateError `SQUAD_RATE_OPTIONS` for an address that is none. */
  constructor(options: DeferredStoreOptions) {
    this.#options = options;
    const { target } = options;
    const isLent = isOpenedStore(target);
    this.#isLent = isLent;
    if (isLent) {
      // What passes for one is one: nobody else has reason to make it.
      this.#opened = target as Store;
      this.#opening = Promise.resolve(this.#opened);
      this.#unopened = this.#opened.describe();
    } else {
      this.#unopened = describeTarget(target);
    }
  }

  /** The address without credentials. */
  get where(): string {
    return this.#unopened.uri;
  }

  /** What the store is; until it is opened, and asked for a document, its atomicity is unproven. */
  describe(): StoreDescription {
    return this.#opened?.describe() ?? this.#unopened;
  }

  /**
   * The store itself, for its documents; opened once, however many ask.
   *
   * @throws SquadRateError as `openStore` does.
   */
  open(): Promise<Store> {
    this.#opening ??= this.#load().catch((error: unknown) => {
      this.#opening = undefined;
      this.#openingFailure = error;
      this.#warnOnce(error);
      throw error;
    });
    return this.#opening;
  }

  async get(key: string): Promise<unknown> {
    return (await this.open()).keyv.get(key);
  }

  async set(key: string, value: unknown, ttlMs?: number): Promise<unknown> {
    return (await this.open()).keyv.set(key, value, ttlMs);
  }

  async delete(key: string): Promise<unknown> {
    return (await this.open()).keyv.delete(key);
  }

  /** Lists keys alone: nobody wants all values, and some may be others' that cannot be read. */
  async *iterator(): AsyncGenerator<readonly [string, undefined]> {
    const { keyv } = await this.open();
    const { clock, timeoutMs } = this.#options;
    for await (const key of listKeys(keyv, "squad-rate:", { clock, timeoutMs, where: this.where }) ?? []) {
      yield [key, undefined];
    }
  }

  /**
   * Closes what was opened here; a Keyv or a store that was handed in stays open. A store that was never needed is not
   * opened for it.
   */
  async close(): Promise<void> {
    if (this.#isLent) return;
    await this.#opening?.then(
      (store) => store.close(),
      () => undefined,
    );
  }

  async #load(): Promise<Store> {
    const { target, ...options } = this.#options;
    this.#opened = await openStore(target as string | KeyvLike, options);
    return this.#opened;
  }

  /** Whether `error` is that the store could not be opened, which is warned of here. */
  isTold(error: unknown): boolean {
    return error !== undefined && error === this.#openingFailure;
  }

  /** A driver that is not installed would otherwise only be seen by who listens to faults. */
  #warnOnce(error: unknown): void {
    if (this.#warned) return;
    this.#warned = true;
    const { message = String(error), remedy } = (error ?? {}) as { message?: string; remedy?: string };
    const advice = remedy === undefined ? "" : ` ${remedy.replace(/\.$/, "")}.`;
    this.#options.onWarning(`${message.replace(/\.$/, "")}.${advice} Agents go on without the store.`);
  }
}

function describeTarget(target: string | KeyvLike): StoreDescription {
  if (typeof target !== "string") return { kind: "keyv", uri: "keyv:", atomicity: "unproven" };
  const address = parseStoreAddress(target);
  return { kind: address.kind, uri: describeAddress(address), atomicity: "unproven" };
}
