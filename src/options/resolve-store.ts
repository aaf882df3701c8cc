import { checkMethods, hasMethods, optionError, propertyOf } from "./check.js";
import type { KeyvLike, StoreLike } from "./types.js";

const KEYV_METHODS: readonly string[] = ["get", "set", "delete"];
const STORES = "a store's URI, what openStore returned, or a Keyv";

/** Checks `squad.store`; a URI is checked by whoever opens it. `uri` is the environment's. */
export function resolveStore(store: unknown, uri: string | undefined): KeyvLike | StoreLike | string | undefined {
  if (store === undefined) return uri;
  if (typeof store === "string") return store;
  if (isOpenedStore(store)) return store;
  if (hasMethods(store, ["then"])) {
    throw optionError(
      "squad.store",
      "an opened store, not the promise of one",
      store,
      "Write `store: await openStore(…)`.",
    );
  }
  // It has methods of these names, but answers at once where promises are expected.
  if (store instanceof Map) {
    throw optionError("squad.store", STORES, store, "Write `store: new Keyv({ store: map })`.");
  }
  checkMethods("squad.store", store, KEYV_METHODS, STORES);
  return store as KeyvLike;
}

/** Whether this is what `openStore` returned, whichever copy of this package opened it. */
export function isOpenedStore(store: unknown): store is StoreLike {
  return (
    hasMethods(propertyOf(store, "keyv"), KEYV_METHODS) && hasMethods(propertyOf(store, "updates"), ["update", "read"])
  );
}
