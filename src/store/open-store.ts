import type { Store, StoreKeyv, StoreOptions } from "./store.js";

/**
 * Opens the place that agents share.
 *
 * | URI | what it is |
 * |---|---|
 * | `memory:` | this process only, gone with it |
 * | `file:~/.squad/rate-pool` | a directory of readable JSON files, for the processes of one machine |
 * | `redis://…`, `rediss://…` | Redis or Valkey; needs the package `@keyv/redis` |
 * | `postgres://…`, `postgresql://…` | Postgres; needs the package `@keyv/postgres` |
 *
 * A Keyv of version 5 or 6 that is ready for use is taken as well. Where its adapter has no compare-and-set, updates are
 * advisory: two processes that write at the same moment may lose one of them.
 *
 * A server that is down does not fail the opening but the calls, each within `timeoutMs`; they succeed again once it is
 * back. Nothing here keeps a process alive.
 *
 * Whoever can read the store can read what lies in it: quota, names of agents, and the bodies that the cache keeps there.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` for an address that is none, `SQUAD_RATE_STORE` when the adapter's package
 * is not installed or the directory cannot be made.
 *
 * @example
 * ```ts
 * await using store = await openStore("file:~/.squad/rate-pool");
 * store.describe(); // { kind: "file", uri: "file:~/.squad/rate-pool", atomicity: "atomic" }
 * ```
 */
export async function openStore(target: string | StoreKeyv, options: StoreOptions = {}): Promise<Store> {
  const { openTarget } = await import("./open-target.js");
  return openTarget(target, options);
}
