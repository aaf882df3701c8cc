import type { Report } from "../report.js";
import { CLASS_COLUMNS, classRows, classSentence } from "../words/class-words.js";
import { spendColumns, WAIT_COLUMNS, WINDOW_COLUMNS } from "../words/columns.js";
import { count, instant, share, some, span } from "../words/format.js";
import { scoreLines } from "../words/score-lines.js";
import { spendTables } from "../words/spend-tables.js";
import { routeChart, waitChart } from "./bar-charts.js";
import { burnChart } from "./burn-chart.js";
import { escapeHtml } from "./escape.js";
import { htmlTable } from "./html-table.js";
import { remainingChart } from "./remaining-chart.js";
import { STYLE } from "./style.js";

/** Rows of a table before it is folded. */
const ROWS = 15;

/**
 * A report as one page that needs nothing else: no network, no script; charts are SVG, light or dark as the reader's
 * system is. Everything that comes out of the trace is escaped.
 *
 * @example
 * ```ts
 * await writeFile("report.html", renderHtml(await createReport({ files: ["trace.jsonl"] })));
 * ```
 */
export function renderHtml(report: Report): string {
  const title = escapeHtml(report.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<p class="sub">${when(report)}</p>
${cards(report)}
${section("Units over time by agent", burnChart(report))}
${section("Remaining quota", remainingChart(report))}
${section("What could have been spared", spared(report))}
${section("Routes by cost", routeChart(report))}
${section("How long calls waited", waits(report))}
${section("Windows", windows(report))}
${spendSections(report)}
${section("Read", read(report))}
${section("Notes", report.notes.length === 0 ? "" : `<ul>${report.notes.map((note) => `<li>${escapeHtml(note)}</li>`).join("")}</ul>`)}
</body>
</html>
`;
}

function section(title: string, body: string): string {
  return body === "" ? "" : `<section><h2>${escapeHtml(title)}</h2>${body}</section>`;
}

function when({ span: time, read: { lines, calls, attempts, readings } }: Report): string {
  const records = `${some(lines, "line")}: ${some(calls, "call")}, ${some(attempts, "request")}, ${some(readings, "reading")}`;
  if (time === undefined) return `No records. ${records}`;
  return `${instant(time.from)} to ${instant(time.to)} UTC (${span(time.to - time.from)}). ${records}`;
}

function cards(report: Report): string {
  const entries = scoreLines(report).map(
    ({ label, value, remark }) =>
      `<div><dt>${escapeHtml(label)}</dt><dd class="value">${escapeHtml(value)}</dd><dd class="remark">${escapeHtml(remark)}</dd></div>`,
  );
  return `<dl class="cards">${entries.join("\n")}</dl>`;
}

function spared(report: Report): string {
  const rows = classRows(report);
  if (rows.length === 0) return "";
  return `<p class="lead">${escapeHtml(classSentence(report))}</p>${htmlTable(CLASS_COLUMNS, rows, "")}`;
}

function waits(report: Report): string {
  const { waits: rows } = report.scorecard;
  return rows.length === 0 ? "" : waitChart(report) + htmlTable(WAIT_COLUMNS, rows, "");
}

function windows({ windows: rows, windowsLeftOut }: Report): string {
  if (rows.length === 0) return "";
  const more = windowsLeftOut > 0 ? `, and ${count(windowsLeftOut)} in which less was used are left out` : "";
  const table = htmlTable(
    WINDOW_COLUMNS,
    rows,
    `What headers showed as used, and what of it the trace explains${more}.`,
  );
  return folded(table, rows.length, "windows");
}

function spendSections(report: Report): string {
  return spendTables(report)
    .map(({ by, title, table: { rows, others, othersCount } }) => {
      const left =
        others === undefined
          ? ""
          : `and ${count(othersCount)} more: ${count(others.units)} units, ${share(others.share)}`;
      return section(`By ${title}`, folded(htmlTable(spendColumns(title), rows, left), rows.length, by));
    })
    .join("\n");
}

function folded(table: string, rows: number, what: string): string {
  return rows <= ROWS ? table : `<details><summary>${count(rows)} ${what}</summary>${table}</details>`;
}

function read({ read: { skipped, foreign, outsideTime } }: Report): string {
  const items: string[] = [];
  if (foreign > 0) items.push(`${count(foreign)} lines of another program's trace, translated`);
  if (outsideTime > 0) items.push(`${count(outsideTime)} records outside the time that was asked for`);
  for (const { why, lines, first } of skipped) {
    const places = first.map(
      ({ source, line, detail }) => `<li><code>${escapeHtml(`${source}:${line} ${detail}`)}</code></li>`,
    );
    items.push(`${count(lines)} lines ${escapeHtml(why)}<ul>${places.join("")}</ul>`);
  }
  return items.length === 0 ? "" : `<ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
}
