import { checkRecord, optionError } from "../options/check.js";

/** How a report is made. Every bound keeps memory, or the report, small. */
export interface ReportOptions {
  /** Stands above it. Default: `Who spent it`. */
  readonly title?: string;
  /** Only what began at this time or later, epoch milliseconds. Default: everything. */
  readonly since?: number;
  /** Only what began before this time, epoch milliseconds. Default: everything. */
  readonly until?: number;
  /** Agents, sessions, routes, … that are listed by name, 1 to 10,000; the others are added up. Default 100. */
  readonly maxRows?: number;
  /** Windows that are listed, those in which most was used, 1 to 10,000. Default 200. */
  readonly maxWindows?: number;
  /** Parts that time is divided into at most, 10 to 10,000. Default 240. */
  readonly maxBuckets?: number;
  /** Different reads and queries that the replay remembers, 1 to 10,000,000; about a kilobyte each. Default 100,000. */
  readonly maxTargets?: number;
  /** Records that may stand before one that began earlier, 0 to 1,000,000, in all sources together. Default 20,000. */
  readonly reorderRecords?: number;
  /** A longer line is passed over, 100 to 100,000,000 bytes. Default 1,000,000. */
  readonly maxLineBytes?: number;
}

/** The options with every default filled in. */
export type ResolvedReportOptions = Required<ReportOptions>;

/** A record, so that the compiler misses none. */
const DEFAULTS: ResolvedReportOptions = {
  title: "Who spent it",
  since: Number.NEGATIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
  maxRows: 100,
  maxWindows: 200,
  maxBuckets: 240,
  maxTargets: 100_000,
  reorderRecords: 20_000,
  maxLineBytes: 1_000_000,
};

/** Checks the options once. */
export function resolveReportOptions(options: ReportOptions): ResolvedReportOptions {
  const given = checkRecord("report", options, Object.keys(DEFAULTS));
  const { title = DEFAULTS.title } = given;
  if (typeof title !== "string") throw optionError("report.title", "a text", title);
  return {
    title,
    since: time("since", given.since),
    until: time("until", given.until),
    maxRows: whole("maxRows", given.maxRows, 1, 10_000),
    maxWindows: whole("maxWindows", given.maxWindows, 1, 10_000),
    maxBuckets: whole("maxBuckets", given.maxBuckets, 10, 10_000),
    maxTargets: whole("maxTargets", given.maxTargets, 1, 10_000_000),
    reorderRecords: whole("reorderRecords", given.reorderRecords, 0, 1_000_000),
    maxLineBytes: whole("maxLineBytes", given.maxLineBytes, 100, 100_000_000),
  };
}

function time(name: "since" | "until", value: unknown): number {
  if (value === undefined) return DEFAULTS[name];
  if (typeof value === "number" && !Number.isNaN(value)) return value;
  throw optionError(`report.${name}`, "epoch milliseconds", value);
}

function whole(
  name: Exclude<keyof ReportOptions, "title" | "since" | "until">,
  value: unknown,
  min: number,
  max: number,
): number {
  if (value === undefined) return DEFAULTS[name];
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw optionError(`report.${name}`, `a whole number from ${min} to ${max}`, value);
}
