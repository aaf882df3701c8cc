import type { Clock } from "../clock.js";
import type { KeyvLike, StoreLike } from "../options/types.js";
import type { UpdateQueue } from "./update-queue.js";

/** A Keyv, version 5 or 6, as far as this package looks at it. */
export interface StoreKeyv extends KeyvLike {
  readonly iterator?: ((namespace?: string) => AsyncIterable<readonly [string, unknown]>) | undefined;
}

/**
 * Whether updates of a document can be lost: `atomic`, never; `advisory`, when two processes write at the same moment
 * through an adapter that has no compare-and-set; `unproven`, nobody has asked yet.
 */
export type Atomicity = "atomic" | "advisory" | "unproven";

/** What a store is, for status reports: plain JSON, without credentials. */
export interface StoreDescription {
  readonly kind: "memory" | "file" | "redis" | "postgres" | "keyv";
  /** Its address without user, password and parameters; `keyv:` for a Keyv that was handed in. */
  readonly uri: string;
  readonly atomicity: Atomicity;
}

/** Settings of {@link openStore}. */
export interface StoreOptions {
  /**
   * How long one call of the store may take, in milliseconds.
   * @defaultValue 250
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Time, for tests and simulations.
   * @defaultValue the system's clock
   */
  readonly clock?: Clock | undefined;
  /**
   * Chance, for tests and simulations: a number from 0 up to but not including 1.
   * @defaultValue `Math.random`
   */
  readonly random?: (() => number) | undefined;
  /**
   * Told, once each, what whoever runs the program should know: that updates are only advisory, that a file was set
   * aside. Never holds a credential.
   * @defaultValue nobody is told
   */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * A place that processes share, opened by `openStore`. Given as the option `store`, it serves several squads of a process
 * over one connection; whoever opened it closes it, after them.
 */
export interface Store extends StoreLike {
  /** For entries where the last write may win, such as a cache's. */
  readonly keyv: StoreKeyv;
  /**
   * Documents that are changed without losing an update, by `atomicUpdate` and `readDocument`.
   * @internal
   */
  readonly updates: UpdateQueue;
  describe(): StoreDescription;
  /**
   * Closes what `openStore` opened, within the timeout; a Keyv that was handed in stays open. Later updates fail with
   * `SQUAD_RATE_CLOSED`.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
