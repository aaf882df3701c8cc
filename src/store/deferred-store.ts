import type { Clock } from "../clock.js";
import { describeAddress, parseStoreAddress } from "./address.js";
import type { Store, StoreKeyv } from "./store.js";

/** What a {@link DeferredStore} is made with. */
export interface DeferredStoreOptions {
  readonly uri: string;
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
  readonly #where: string;
  #opening: Promise<Store> | undefined;
  #warned = false;

  /** @throws SquadRateError `SQUAD_RATE_OPTIONS` for an address that is none. */
  constructor(options: DeferredStoreOptions) {
    this.#options = options;
    this.#where = describeAddress(parseStoreAddress(options.uri));
  }

  /** The address without credentials. */
  get where(): string {
    return this.#where;
  }

  async get(key: string): Promise<unknown> {
    return (await this.#open()).keyv.get(key);
  }

  async set(key: string, value: unknown, ttlMs?: number): Promise<unknown> {
    return (await this.#open()).keyv.set(key, value, ttlMs);
  }

  async delete(key: string): Promise<unknown> {
    return (await this.#open()).keyv.delete(key);
  }

  async *iterator(): AsyncGenerator<readonly [string, unknown]> {
    const { keyv } = await this.#open();
    if (keyv.iterator !== undefined) yield* keyv.iterator();
  }

  /** Closes what was opened; a store that was never needed is not opened for it. */
  async close(): Promise<void> {
    await this.#opening?.then(
      (store) => store.close(),
      () => undefined,
    );
  }

  #open(): Promise<Store> {
    this.#opening ??= this.#load().catch((error: unknown) => {
      this.#opening = undefined;
      this.#warnOnce(error);
      throw error;
    });
    return this.#opening;
  }

  async #load(): Promise<Store> {
    const { openStore } = await import("./open-store.js");
    const { uri, clock, random, timeoutMs, onWarning } = this.#options;
    return openStore(uri, { clock, random, timeoutMs, onWarning });
  }

  /** A driver that is not installed would otherwise only be seen by who listens to faults. */
  #warnOnce(error: unknown): void {
    if (this.#warned) return;
    this.#warned = true;
    const { message = String(error), remedy } = (error ?? {}) as { message?: string; remedy?: string };
    this.#options.onWarning(`${message}${remedy === undefined ? "" : ` ${remedy}.`} Agents go on without the store.`);
  }
}
