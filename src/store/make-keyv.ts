import type { StoreKeyv } from "./store.js";

/** The part of a Keyv adapter that is looked at here. */
export interface OwnAdapter {
  clear(): Promise<void>;
  delete(key: string): Promise<unknown>;
  iterator?(namespace?: string): AsyncIterable<readonly unknown[]>;
}

const PREFIX = "squad-rate:";

/**
 * A Keyv over an adapter of ours: no namespace, because our keys carry their own prefix and namespaces are prefixed
 * differently by every version; and no swallowed errors. Without a namespace `clear` would empty a whole database or
 * table, so it is held to our keys.
 */
export async function makeKeyv(adapter: OwnAdapter | Map<string, unknown>): Promise<StoreKeyv> {
  const { Keyv } = await import("keyv");
  if (!(adapter instanceof Map)) {
    adapter.clear = async () => {
      for await (const [key] of adapter.iterator?.() ?? []) {
        if (typeof key === "string" && key.startsWith(PREFIX)) await adapter.delete(key);
      }
    };
  }
  const keyv = new Keyv({ store: adapter, namespace: "", useKeyPrefix: false, throwOnErrors: true });
  // Keyv 5 lets only the adapters that it knows by name be iterated.
  if (keyv.iterator === undefined && !(adapter instanceof Map) && adapter.iterator !== undefined) {
    keyv.iterator = keyv.generateIterator(adapter.iterator.bind(adapter) as never);
  }
  return keyv as StoreKeyv;
}
