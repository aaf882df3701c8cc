import type { TraceRate } from "./record.js";

/** Resource names become keys of records, so their shape is checked. */
const RESOURCE = /^[a-z][a-z0-9_-]{0,63}$/;

/**
 * What an answer to `GET /rate_limit` says of each resource; undefined when it says nothing.
 *
 * https://docs.github.com/en/rest/rate-limit/rate-limit#get-rate-limit-status-for-the-authenticated-user
 */
export function readRateLimit(text: string): Readonly<Record<string, TraceRate>> | undefined {
  const resources: Record<string, TraceRate> = {};
  for (const [name, said] of Object.entries(resourcesIn(text))) {
    const rate = RESOURCE.test(name) ? rateOf(said) : undefined;
    if (rate !== undefined) resources[name] = rate;
  }
  return Object.keys(resources).length === 0 ? undefined : resources;
}

function resourcesIn(text: string): object {
  try {
    const { resources } = JSON.parse(text) as { readonly resources?: unknown };
    return typeof resources === "object" && resources !== null ? resources : {};
  } catch {
    return {};
  }
}

function rateOf(said: unknown): TraceRate | undefined {
  const { limit, used, remaining, reset } = (said ?? {}) as Readonly<Record<string, unknown>>;
  if (!isCount(limit) || !isCount(used) || !isCount(remaining) || !isCount(reset)) return undefined;
  return { limit, used, remaining, resetAt: reset * 1_000 };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
