import { notesOn } from "./notes.js";
import { type ReportOptions, resolveReportOptions } from "./options.js";
import { inOrder } from "./read/in-order.js";
import { openFeeds } from "./read/open-feeds.js";
import { Translator } from "./read/parse-line.js";
import { REPORT_VERSION, type Report, type Scorecard, type Span } from "./report.js";
import type { TraceSource } from "./source.js";
import { mapSpend, Tally } from "./tally.js";

/** Nothing is said per hour of less than this. */
const MIN_SPAN_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Reads a trace and tells who spent what, what GitHub's headers show beyond that, and what could have been spared. It
 * streams: memory is bounded by the options, however long the trace is.
 *
 * Lines that are torn, foreign or of another version are counted and named in the report. Traces of other programs are
 * read as far as they tell something. Records may stand out of order as far as `reorderRecords` reaches; several files are
 * merged by time.
 *
 * @throws SquadRateError with the code `SQUAD_RATE_OPTIONS`; whatever the file system says of a file that cannot be read.
 * @example
 * ```ts
 * const report = await createReport({ files: ["trace.jsonl"] });
 * console.log(renderText(report));
 * await writeFile("report.html", renderHtml(report));
 * ```
 */
export async function createReport(source: TraceSource, options: ReportOptions = {}): Promise<Report> {
  const resolved = resolveReportOptions(options);
  const translator = new Translator();
  const tally = new Tally(resolved);
  const { late } = await inOrder(openFeeds(source, translator, resolved), (observed) => tally.take(observed));
  tally.end();
  const { windows, leftOut, totals } = tally.windows.finish();
  const classes = tally.classes.finish(tally.replay);
  const report: Omit<Report, "notes" | "scorecard"> = {
    v: REPORT_VERSION,
    title: resolved.title,
    read: {
      lines: translator.lines,
      ...tally.records,
      foreign: translator.foreignLines,
      skippedLines: translator.skipped.lines,
      skipped: translator.skipped.list(),
      late,
      missing: translator.missing.list(),
    },
    span: spanOf(tally),
    spend: mapSpend((by) => tally.spend[by].finish(resolved.maxRows)),
    windows,
    windowsLeftOut: leftOut,
    quotas: totals,
    brackets: tally.brackets.finish(),
    classes,
    burn: tally.timeline.burn(),
    remaining: tally.timeline.series(),
  };
  const scorecard = scorecardOf(tally, report);
  return { ...report, scorecard, notes: notesOn({ ...report, scorecard }) };
}

function spanOf({ span }: Tally): Span | undefined {
  if (span === undefined) return undefined;
  const lengthMs = span.to - span.from;
  return { ...span, hours: lengthMs >= MIN_SPAN_MS ? lengthMs / HOUR_MS : undefined };
}

function scorecardOf(tally: Tally, report: Omit<Report, "notes" | "scorecard">): Scorecard {
  const counted = tally.score.finish();
  const { span, classes, quotas } = report;
  const perHour = (count: number): number | undefined => (span?.hours === undefined ? undefined : count / span.hours);
  const refusals = tally.limits.finish();
  const wasted = { exchanges: refusals.primary + refusals.secondary, units: refusals.units };
  for (const sum of classes.byClass) {
    if (sum.class !== "duplicate" && sum.class !== "cacheable") continue;
    wasted.exchanges += sum.exchanges;
    wasted.units += sum.units;
  }
  const hiddenUnits = quotas.reduce((sum, quota) => sum + quota.hidden, 0);
  const usedUnits = quotas.reduce((sum, quota) => sum + quota.hidden + quota.charged, 0);
  const resetsInside = span === undefined ? { rest: 0, graphql: 0 } : tally.windows.resetsBetween(span.from, span.to);
  const calls = perHour(counted.calls);
  return {
    ...counted,
    callsPerMinute: calls === undefined ? undefined : calls / 60,
    restRequestsPerHour: perHour(counted.restRequests),
    restUnitsPerHour: perHour(counted.restUnits),
    graphqlUnitsPerHour: perHour(counted.graphqlUnits),
    resetsInside,
    straddles: resetsInside.rest + resetsInside.graphql > 0,
    refusals,
    wasted,
    hiddenUnits,
    hiddenShare: usedUnits === 0 ? 0 : hiddenUnits / usedUnits,
  };
}
