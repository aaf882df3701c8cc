import type { ObservedRate } from "../observed.js";
import { countOf, objectOf, timeOf } from "./field.js";

/** A record's values by their plain names: `rate_limit.remaining`, `rateLimitRemaining`, `headers["…"]` become one. */
export type PlainFields = ReadonlyMap<string, unknown>;

const MAX_DEPTH = 2;
const MAX_FIELDS = 200;

/** Flattens a record by two levels; names lose their case, their punctuation, and the words that only say where. */
export function plainFields(record: Readonly<Record<string, unknown>>): PlainFields {
  const fields = new Map<string, unknown>();
  flatten(record, "", 0, fields);
  return fields;
}

function flatten(
  record: Readonly<Record<string, unknown>>,
  prefix: string,
  depth: number,
  into: Map<string, unknown>,
): void {
  for (const [key, value] of Object.entries(record)) {
    if (into.size >= MAX_FIELDS) return;
    const own = key.toLowerCase().replace(/[^a-z0-9]/g, "");
    const name = NESTING.has(own) && depth < MAX_DEPTH && objectOf(value) !== undefined ? prefix : prefix + own;
    const inner = objectOf(value);
    if (inner !== undefined) {
      if (depth < MAX_DEPTH) flatten(inner, name, depth + 1, into);
    } else if (!into.has(name)) into.set(name, value);
  }
}

/** Objects that only hold others' fields. */
const NESTING: ReadonlySet<string> = new Set([
  "headers",
  "responseheaders",
  "response",
  "http",
  "request",
  "data",
  "attributes",
  "fields",
]);

/** The first of these names that has a value. */
export function first(fields: PlainFields, names: readonly string[]): unknown {
  for (const name of names) {
    const value = fields.get(name);
    if (value !== undefined && value !== null && value !== "") return value;
  }
  return undefined;
}

/** A number, also where it was written as text. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value.trim())) return Number(value);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Epoch milliseconds from ISO text, or from epoch seconds, milliseconds or microseconds by their size. */
export function instantOf(value: unknown): number | undefined {
  const number = numberOf(value);
  if (number !== undefined) return timeOf(number < 1e11 ? number * 1_000 : number < 1e14 ? number : number / 1_000);
  // `Date.parse` takes much for a date that is none.
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) return undefined;
  return timeOf(Date.parse(/[zZ]$|[+-]\d\d:?\d\d$/.test(value) ? value : `${value.replace(" ", "T")}Z`));
}

const RATE_PREFIXES: readonly string[] = ["xratelimit", "ratelimit", "rate", "githubratelimit", "ghratelimit", ""];

/** The rate fields in whatever spelling. Where no limit is told, it is GitHub's usual one. */
export function foreignRate(
  fields: PlainFields,
  at: number,
): { readonly rate: ObservedRate | undefined; readonly resource: string | undefined; readonly isLimitTold: boolean } {
  const field = (name: string): unknown =>
    first(
      fields,
      RATE_PREFIXES.filter((prefix) => prefix !== "" || name === "remaining").map((prefix) => prefix + name),
    );
  const named = field("resource");
  const resource = typeof named === "string" && /^[a-z][a-z0-9_-]{0,63}$/.test(named) ? named : undefined;
  const remaining = countOf(numberOf(field("remaining")));
  if (remaining === undefined) return { rate: undefined, resource, isLimitTold: false };
  const told = countOf(numberOf(field("limit") ?? fields.get("ratelimit")));
  const limit = told !== undefined && told > 0 ? told : Math.max(usualLimit(resource), remaining);
  if (remaining > limit) return { rate: undefined, resource, isLimitTold: told !== undefined };
  const used = Math.max(countOf(numberOf(field("used"))) ?? 0, limit - remaining);
  const resetAt = instantOf(
    first(
      fields,
      RATE_PREFIXES.slice(0, -1).flatMap((prefix) => [`${prefix}reset`, `${prefix}resetat`]),
    ),
  );
  const isNear = resetAt !== undefined && Math.abs(resetAt - at) <= MAX_AHEAD_MS;
  return {
    rate: { limit, used, remaining, resetAt: isNear ? resetAt : undefined },
    resource,
    isLimitTold: told !== undefined,
  };
}

const MAX_AHEAD_MS = 26 * 3_600_000;

/** https://docs.github.com/en/rest/rate-limit/rate-limit */
function usualLimit(resource: string | undefined): number {
  return resource === "search" ? 30 : resource === "code_search" ? 10 : 5_000;
}
