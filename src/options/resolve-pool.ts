import { checkChoice, checkPath, checkSwitch } from "./check.js";
import { checkKeyPart } from "./check-name.js";
import type { ResolvedPoolOptions } from "./resolved.js";
import type { PoolOptions } from "./types.js";

export const POOL_KEYS: readonly (keyof PoolOptions)[] = ["name", "share", "mirror"];

/** Checks `squad.pool`, also where there is no store, so that a slip shows before there is one. */
export function resolvePool(pool: unknown): ResolvedPoolOptions | false {
  if (pool === false) return false;
  const given = checkSwitch("squad.pool", pool, POOL_KEYS);
  return Object.freeze({
    name: checkKeyPart("squad.pool.name", given.name),
    share: checkChoice("squad.pool.share", given.share, ["lend", "fixed"], "lend"),
    mirror: checkPath("squad.pool.mirror", given.mirror),
  });
}
