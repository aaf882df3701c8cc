import { printable } from "../printable.js";
import type { Report } from "../report.js";
import { CLASS_COLUMNS, classRows, classSentence } from "../words/class-words.js";
import { spendColumns, WAIT_COLUMNS, WINDOW_COLUMNS } from "../words/columns.js";
import { count, instant, share, some, span } from "../words/format.js";
import { scoreLines } from "../words/score-lines.js";
import { spendTables } from "../words/spend-tables.js";
import { textTable, wrapped } from "./table.js";

/** Characters in a line. */
const WIDTH = 100;
/** Tables of figures need so many. */
const NARROWEST = 80;

/** How a report is printed. */
export interface RenderTextOptions {
  /** Columns of the terminal, 80 or more; what is less counts as 80. Default 100. */
  readonly columns?: number;
}

/** Rows of each table. */
const ROWS = 12;

/**
 * A report for a terminal: plain text of at most `columns` columns, without colours.
 *
 * @example
 * ```ts
 * console.log(renderText(await createReport({ files: ["trace.jsonl"] })));
 * ```
 */
export function renderText(report: Report, { columns = WIDTH }: RenderTextOptions = {}): string {
  const width = Math.max(NARROWEST, columns);
  const { read } = report;
  const records = `${some(read.lines, "line")}: ${some(read.calls, "call")}, ${some(read.attempts, "request")}, ${some(read.readings, "reading")}`;
  const sections = [
    [...wrapped(printable(report.title), width), whenOf(report), records],
    section("SCORECARD", scoreTable(report, width)),
    section("HOW LONG CALLS WAITED", waitTable(report, width)),
    section("WHAT COULD HAVE BEEN SPARED", [...wrapped(classSentence(report), width), ...classTable(report, width)]),
    section("WINDOWS", windowTable(report, width)),
    ...spendSections(report, width),
    section("READ", readLines(report, width)),
    section(
      "NOTES",
      report.notes.flatMap((note) => wrapped(note, width)),
    ),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function whenOf({ span: time }: Report): string {
  if (time === undefined) return "no records";
  return `${instant(time.from)} to ${instant(time.to)} UTC (${span(time.to - time.from)})`;
}

function scoreTable(report: Report, width: number): readonly string[] {
  const lines = scoreLines(report);
  const labels = Math.max(...lines.map(({ label }) => label.length));
  const values = Math.max(...lines.map(({ value }) => value.length));
  return lines.flatMap(({ label, value, remark }) => {
    const [first = "", ...rest] = wrapped(remark, width - labels - values - 4);
    const indent = " ".repeat(labels + values + 4);
    return [
      `${label.padEnd(labels)}  ${value.padStart(values)}  ${first}`.trimEnd(),
      ...rest.map((line) => indent + line),
    ];
  });
}

function waitTable({ scorecard: { waits } }: Report, width: number): readonly string[] {
  return waits.length === 0 ? [] : textTable(WAIT_COLUMNS, waits, width);
}

function classTable(report: Report, width: number): readonly string[] {
  const rows = classRows(report);
  return rows.length === 0 ? [] : ["", ...textTable(CLASS_COLUMNS, rows, width)];
}

function windowTable({ windows, quotas }: Report, width: number): readonly string[] {
  if (windows.length === 0) return [];
  const most = [...windows].sort((a, b) => b.usedUnits - a.usedUnits).slice(0, ROWS);
  const rows = most.sort((a, b) => a.resetAt - b.resetAt);
  const all = quotas.reduce((sum, quota) => sum + quota.windows, 0);
  const left = all - rows.length;
  const more = left > 0 ? [`and ${count(left)} windows in which less was used`] : [];
  return [...textTable(WINDOW_COLUMNS, rows, width), ...more];
}

function spendSections(report: Report, width: number): readonly (readonly string[])[] {
  return spendTables(report).map(({ title, table: { rows, others, othersCount } }) => {
    const left = rows.slice(ROWS);
    const units = left.reduce((sum, row) => sum + row.units, 0) + (others?.units ?? 0);
    const part = left.reduce((sum, row) => sum + row.share, 0) + (others?.share ?? 0);
    const more = left.length + othersCount;
    const rest = more > 0 ? [`and ${count(more)} more: ${count(units)} units, ${share(part)}`] : [];
    return [`BY ${title.toUpperCase()}`, ...textTable(spendColumns(title), rows.slice(0, ROWS), width), ...rest];
  });
}

function readLines({ read }: Report, width: number): readonly string[] {
  const lines: string[] = [];
  if (read.foreign > 0) lines.push(`${count(read.foreign)} lines of another program's trace, translated`);
  if (read.outsideTime > 0) lines.push(`${count(read.outsideTime)} records outside the time that was asked for`);
  for (const { why, lines: skipped, first } of read.skipped) {
    lines.push(`${count(skipped)} lines ${why}`);
    for (const { source, line, detail } of first) {
      lines.push(...wrapped(`${printable(source)}:${line}${detail === "" ? "" : ` ${detail}`}`, width, "  "));
    }
  }
  return lines;
}
