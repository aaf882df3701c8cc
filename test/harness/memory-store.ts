import type { KeyvLike } from "../../src/options.js";

/** A store whose content a test can see and forge. */
export interface MemoryStore extends KeyvLike {
  readonly values: Map<string, unknown>;
  readonly ttls: Map<string, number | undefined>;
}

export function createMemoryStore(): MemoryStore {
  const values = new Map<string, unknown>();
  const ttls = new Map<string, number | undefined>();
  return {
    values,
    ttls,
    get: async (key) => values.get(key),
    set: async (key, value, ttlMs) => {
      values.set(key, JSON.parse(JSON.stringify(value)));
      ttls.set(key, ttlMs);
      return true;
    },
    delete: async (key) => values.delete(key),
  };
}
