import Keyv from "keyv";
import { type Clock, sleep } from "../../src/clock.js";
import type { KeyvLike } from "../../src/options.js";

/** How the store behaves for the time being. */
export type StoreMood = "well" | "slow" | "throws" | "hangs";

/** A Keyv that at times throws, hangs or dawdles, and whose entries anybody can change. */
export interface UnreliableStore extends KeyvLike {
  mood: StoreMood;
  /** Keys in the order in which they were last written. */
  keys(): readonly string[];
  /** The address of the request during which an entry was written. */
  addressOf(key: string): string | undefined;
  /** Past all moods. */
  read(key: string): Promise<unknown>;
  tamper(key: string, value: unknown): Promise<void>;
  /** Everything in it, as text. */
  dump(): string;
}

export function createUnreliableStore(clock: Clock, currentAddress: () => string | undefined): UnreliableStore {
  const values = new Map<string, unknown>();
  const keyv = new Keyv({ store: values });
  const addresses = new Map<string, string | undefined>();
  const store: UnreliableStore = {
    mood: "well",
    get: async (key) => {
      await endure();
      return keyv.get(key);
    },
    set: async (key, value, ttlMs) => {
      const address = addresses.get(key) ?? currentAddress();
      addresses.delete(key);
      addresses.set(key, address);
      await endure();
      return keyv.set(key, value, ttlMs);
    },
    delete: async (key) => {
      await endure();
      return keyv.delete(key);
    },
    keys: () => [...addresses.keys()],
    addressOf: (key) => addresses.get(key),
    read: async (key) => keyv.get(key),
    tamper: async (key, value) => {
      await keyv.set(key, value);
    },
    dump: () => JSON.stringify([...values]),
  };
  async function endure(): Promise<void> {
    switch (store.mood) {
      case "well":
        return;
      case "slow":
        return sleep(clock, 40);
      case "throws":
        throw new Error("The store is down.");
      case "hangs":
        return new Promise(() => undefined);
    }
  }
  return store;
}
