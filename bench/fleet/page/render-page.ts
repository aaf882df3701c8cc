import { escapeHtml } from "../../../src/report/html/escape.js";
import { STYLE } from "../../../src/report/html/style.js";
import type { Extent } from "../extent.js";
import type { FamilyRuns } from "../runs.js";
import { type Titled, tablesOf } from "../tables.js";
import type { Target } from "../targets.js";
import { picturesOf } from "./charts.js";

/** All that the benchmark found as one page that needs nothing else: no network, no script, light or dark. */
export function renderPage(measured: readonly FamilyRuns[], targets: readonly Target[], extent: Extent): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Fleets on one GitHub credential</title>
<style>${STYLE}
h3 { font-size: 1rem; margin: 24px 0 6px; }
.missed { color: var(--ch); font-weight: 600; }</style>
</head>
<body>
<h1>Fleets on one GitHub credential</h1>
<p class="sub">Simulated on virtual time, seed ${extent.seed}${extent.short ? ", a short run" : ""}. docs/benchmarks.md says what is simulated and what is not.</p>
${targets.length === 0 ? "" : `<section><h2>What was to be shown</h2>${targetTable(targets)}</section>`}
${measured.map(familySection).join("\n")}
</body>
</html>
`;
}

function targetTable(targets: readonly Target[]): string {
  const rows = targets.map(
    ({ passed, what, found }) =>
      `<tr><td${passed ? "" : ' class="missed"'}>${passed ? "pass" : "miss"}</td><td>${escapeHtml(what)}</td><td>${escapeHtml(found)}</td></tr>`,
  );
  return `<div class="scroll"><table><tbody>${rows.join("\n")}</tbody></table></div>`;
}

function familySection(runs: FamilyRuns): string {
  const pictures = picturesOf(runs).map(({ heading, svg }) => `<h3>${escapeHtml(heading)}</h3>${svg}`);
  const tables = tablesOf(runs).map(figureTable).join("\n");
  const figures = pictures.length === 0 ? tables : `<details><summary>All figures</summary>${tables}</details>`;
  return `<section><h2>${escapeHtml(runs.family.title)}</h2>${pictures.join("\n")}${figures}</section>`;
}

function figureTable({ title, rows: [head = [], ...body] }: Titled): string {
  const heads = head.map((cell) => `<th scope="col" class="right">${escapeHtml(cell)}</th>`).join("");
  const rows = body.map(
    (row) => `<tr>${row.map((cell) => `<td class="right">${escapeHtml(cell)}</td>`).join("")}</tr>`,
  );
  return `<h3>${escapeHtml(title)}</h3><div class="scroll"><table><thead><tr>${heads}</tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
}
