import type { WindowRow } from "../quota/rows.js";
import type { ClassWait } from "../tally/score.js";
import type { SpendRow } from "../tally/spend.js";
import { count, instant, nameOf, principalOf, share, span } from "./format.js";

/** A column of a table: in a terminal as on a page. */
export interface Column<Row> {
  readonly title: string;
  /** What it means, for whoever points at it. */
  readonly about: string;
  readonly align: "left" | "right";
  of(row: Row): string;
}

/** Columns of who spent what. `title` heads the names. */
export function spendColumns(title: string): readonly Column<SpendRow>[] {
  return [
    { title, about: "", align: "left", of: ({ name }) => nameOf(name) },
    { title: "calls", about: "Calls that ended", align: "right", of: (row) => count(row.calls) },
    { title: "sent", about: "Requests sent to GitHub", align: "right", of: (row) => count(row.exchanges) },
    { title: "units", about: "Units of primary quota that they cost", align: "right", of: (row) => count(row.units) },
    { title: "share", about: "Part of all units", align: "right", of: (row) => share(row.share) },
    {
      title: "spare",
      about: "Units that squadRate with guards would have spared",
      align: "right",
      of: (row) => count(row.sparedUnits),
    },
    { title: "304", about: "Requests answered 304: free", align: "right", of: (row) => count(row.notModified) },
    { title: "refused", about: "Requests refused by a limit", align: "right", of: (row) => count(row.refused) },
    {
      title: "failed",
      about: "Requests without an answer, or with one of 500 and above",
      align: "right",
      of: (row) => count(row.failed),
    },
    {
      title: "waited",
      about: "Time that its calls waited, on average",
      align: "right",
      of: (row) => span(row.calls === 0 ? 0 : row.waitMs / row.calls),
    },
  ];
}

/** Columns of windows. */
export const WINDOW_COLUMNS: readonly Column<WindowRow>[] = [
  { title: "reset (UTC)", about: "When the window ends", align: "left", of: (row) => instant(row.resetAt) },
  {
    title: "whose",
    about: "The GitHub identity that pays: the beginning of its fingerprint",
    align: "left",
    of: (row) => principalOf(row.principal),
  },
  { title: "resource", about: "", align: "left", of: (row) => nameOf(row.resource) },
  { title: "limit", about: "", align: "right", of: (row) => count(row.limit) },
  { title: "used", about: "The most that a header showed as used", align: "right", of: (row) => count(row.usedUnits) },
  {
    title: "traced",
    about: "What requests in the trace were charged",
    align: "right",
    of: (row) => count(row.chargedUnits),
  },
  { title: "unexplained", about: "Used by nothing in the trace", align: "right", of: (row) => count(row.hiddenUnits) },
  { title: "before", about: "Used before the trace began", align: "right", of: (row) => count(row.beforeTraceUnits) },
];

/** Columns of how calls waited. */
export const WAIT_COLUMNS: readonly Column<ClassWait>[] = [
  {
    title: "class",
    about: "",
    align: "left",
    of: ({ priority }) => (priority === undefined ? nameOf(undefined) : `P${priority}`),
  },
  { title: "calls", about: "", align: "right", of: ({ calls }) => count(calls) },
  {
    title: "waited",
    about: "Calls that waited a millisecond or longer",
    align: "right",
    of: ({ waited }) => count(waited),
  },
  { title: "mean", about: "", align: "right", of: ({ wait }) => span(wait?.meanMs) },
  { title: "p50", about: "", align: "right", of: ({ wait }) => span(wait?.p50Ms) },
  { title: "p95", about: "", align: "right", of: ({ wait }) => span(wait?.p95Ms) },
  { title: "p99", about: "", align: "right", of: ({ wait }) => span(wait?.p99Ms) },
  { title: "longest", about: "", align: "right", of: ({ wait }) => span(wait?.maxMs) },
];
