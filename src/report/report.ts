import type { Bracket } from "./quota/brackets.js";
import type { QuotaTotal, WindowRow } from "./quota/rows.js";
import type { Refusals } from "./quota/standing-limits.js";
import type { MissingField } from "./read/missing-fields.js";
import type { SkippedLines } from "./read/skipped.js";
import type { Classes } from "./replay/classes.js";
import type { Counted } from "./tally/score.js";
import type { SpendBy, SpendTable } from "./tally/spend.js";
import type { Burn, RemainingSeries } from "./tally/timeline.js";

/** The version of {@link Report}. Fields may be added within a version. */
export const REPORT_VERSION = 1;

/** What was read. */
export interface ReadSummary {
  /** Lines or records with something in them. */
  readonly lines: number;
  readonly attempts: number;
  readonly calls: number;
  readonly readings: number;
  /** Lines of another program's trace, translated. */
  readonly foreign: number;
  /** Records outside `since` and `until`. */
  readonly outsideTime: number;
  readonly skippedLines: number;
  readonly skipped: readonly SkippedLines[];
  /** Records that stood further from their place than `reorderRecords`. */
  readonly late: number;
  /** What foreign lines did not tell. */
  readonly missing: readonly MissingField[];
}

/** From the first record to the end of the last. Epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Undefined where it is less than a minute: nothing can be said per hour. */
  readonly hours: number | undefined;
}

/** The scorecard; see docs/report.md for each figure. */
export interface Scorecard extends Counted {
  readonly callsPerMinute: number | undefined;
  readonly restRequestsPerHour: number | undefined;
  readonly restUnitsPerHour: number | undefined;
  readonly graphqlUnitsPerHour: number | undefined;
  /** Resets between the first and the last record: used counters before and after cannot be subtracted. */
  readonly resetsInside: { readonly rest: number; readonly graphql: number };
  readonly straddles: boolean;
  readonly refusals: Refusals;
  /** Refused exchanges and charged repeats of reads that had not changed. */
  readonly wasted: { readonly exchanges: number; readonly units: number };
  readonly hiddenUnits: number;
  /** Of all units that headers showed used within the trace, 0 to 1. */
  readonly hiddenShare: number;
}

/** Who spent it: plain data, made by `createReport`; what `JSON.stringify` makes of it is the report as JSON. */
export interface Report {
  readonly v: typeof REPORT_VERSION;
  readonly title: string;
  readonly read: ReadSummary;
  /** Undefined when nothing could be read. */
  readonly span: Span | undefined;
  readonly scorecard: Scorecard;
  readonly spend: Readonly<Record<SpendBy, SpendTable>>;
  /** The windows in which most was used, by time, and the sum of all by principal and resource. */
  readonly windows: readonly WindowRow[];
  readonly windowsLeftOut: number;
  readonly quotas: readonly QuotaTotal[];
  readonly brackets: readonly Bracket[];
  readonly classes: Classes;
  readonly burn: Burn;
  readonly remaining: readonly RemainingSeries[];
  /** What is estimated, what could not be told, and why: sentences. */
  readonly notes: readonly string[];
}
