import type { ObservedRate } from "../observed.js";
import { countOf, timeOf } from "./field.js";

/** GitHub's longest window is an hour; clocks of machines may be wrong by some more. */
const MAX_AHEAD_MS = 26 * 3_600_000;

/** What a record says of the quota, if all of it can be; a broken header set says nothing. */
export function rateOf(
  given:
    | { readonly limit?: unknown; readonly used?: unknown; readonly remaining?: unknown; readonly resetAt?: unknown }
    | undefined,
  at: number,
): ObservedRate | undefined {
  const limit = countOf(given?.limit);
  const remaining = countOf(given?.remaining);
  const resetAt = timeOf(given?.resetAt);
  if (limit === undefined || limit === 0 || remaining === undefined || remaining > limit) return undefined;
  if (resetAt === undefined || Math.abs(resetAt - at) > MAX_AHEAD_MS) return undefined;
  const used = countOf(given?.used) ?? 0;
  return { limit, used: Math.max(used, limit - remaining), remaining, resetAt };
}
