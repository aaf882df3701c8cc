import type { StoreKeyv } from "./store.js";

/** The adapter of a Keyv, and what it may call a key of ours. */
export interface Unwrapped {
  /** From the outside in: Keyv 6 wraps older adapters. */
  readonly adapters: readonly object[];
  /** Every name that `key` may have in the adapter, the likeliest first. */
  readonly names: (key: string) => readonly string[];
}

interface Namespaced {
  readonly namespace?: unknown;
}

/**
 * Looks into a Keyv of either version. Who prefixes keys with the namespace (Keyv, the adapter, or both) has changed from
 * version to version, so all names are offered and a probe finds the true one.
 */
export function unwrap(keyv: StoreKeyv): Unwrapped {
  const adapters: object[] = [];
  for (let inner = storeOf(keyv); inner !== undefined && !adapters.includes(inner); inner = storeOf(inner)) {
    adapters.push(inner);
  }
  const namespaces = [keyv, ...adapters]
    .map((each) => (each as Namespaced).namespace)
    .filter((namespace): namespace is string => typeof namespace === "string" && namespace !== "");
  const [namespace] = namespaces;
  const names = (key: string): readonly string[] =>
    namespace === undefined
      ? [key]
      : [`${namespace}:${key}`, `${namespace}::${key}`, `${namespace}::${namespace}:${key}`, key];
  return { adapters, names };
}

function storeOf(outer: object): object | undefined {
  const { store } = outer as { readonly store?: unknown };
  return typeof store === "object" && store !== null ? store : undefined;
}
