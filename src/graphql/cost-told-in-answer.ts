import type { RateLimitTold } from "./rate-limit.js";

/** GitHub's numbers are far below; whatever is above is no count of anything. */
const MAX_COUNT = 1e9;
/** ISO 8601 with a time and a zone; `Date.parse` takes far more for a date. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/;

/**
 * The value of a selection of `rateLimit` as it stands in an answer. What is missing or makes no sense is left out, and
 * without a cost there is nothing to tell.
 */
export function costTold(value: unknown): RateLimitTold | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { cost, limit, remaining, used, resetAt, nodeCount } = value as Readonly<Record<string, unknown>>;
  const units = count(cost);
  if (units === undefined) return undefined;
  return {
    cost: units,
    limit: count(limit),
    remaining: count(remaining),
    used: count(used),
    resetAt: instant(resetAt),
    nodeCount: count(nodeCount),
  };
}

function count(value: unknown): number | undefined {
  const isCount = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT;
  return isCount ? value : undefined;
}

function instant(value: unknown): number | undefined {
  const at = typeof value === "string" && INSTANT.test(value) ? Date.parse(value) : Number.NaN;
  return at >= 0 ? at : undefined;
}
