/** Longer names are cut: a report is to be read. */
export const MAX_NAME_LENGTH = 200;

/** Before GitHub was there, and after this format will have been replaced: such a time is a broken one. */
const EARLIEST = Date.UTC(2008, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/** Longer than anything waits or takes. */
const MAX_SPAN_MS = 30 * 24 * 3_600_000;

/** Far above any limit that GitHub grants, and well inside exact integers. */
const MAX_UNITS = 1_000_000_000;

/** A non-empty text, cut to a length that can be shown. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  return value.length > MAX_NAME_LENGTH ? `${value.slice(0, MAX_NAME_LENGTH - 1)}…` : value;
}

/** Epoch milliseconds that a trace of GitHub calls can have. */
export function timeOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= EARLIEST && value <= LATEST ? value : undefined;
}

/** Milliseconds that something may take. */
export function spanOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= MAX_SPAN_MS ? value : undefined;
}

/** A whole number of units, or of anything counted. */
export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_UNITS ? value : undefined;
}

/** An object that is no array. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
