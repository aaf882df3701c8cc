import { Children } from "../recovery/children.js";
import { compile } from "../recovery/compile.js";
import { table } from "../table.js";
import { resultFile, writePage, writeResult } from "../write-result.js";
import { CLIENT_LABELS } from "./clients.js";
import type { Extent } from "./extent.js";
import { familyOf } from "./families.js";
import type { Job, JobResult } from "./job.js";
import { measure } from "./measure.js";
import { renderPage } from "./page/render-page.js";
import type { FamilyRuns } from "./runs.js";
import { tablesOf } from "./tables.js";
import { targetsOf } from "./targets.js";

/** Runs all clients, prints tables and what was to be shown, and writes down every figure and a page with charts. */
export async function compare(extent: Extent): Promise<void> {
  const startedAt = performance.now();
  const secondsSince = (): string => `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;
  console.log("Setup: compiling, so that every run is the same");
  const children = new Children<Job, JobResult>(await compile("bench/fleet.ts"), extent.atOnce);
  const families = extent.families.map((name) => familyOf(name, extent)).filter(({ clients }) => clients.length > 0);
  const planned = families.flatMap(({ rows }) => rows.flatMap(({ clients }) => clients)).length;
  console.log(`Measure: ${planned} runs, ${extent.atOnce} at once, seed ${extent.seed}`);
  const measured = await measure(families, children, ({ name }, { row, client, result }, left) => {
    console.error(
      `  ${name} ${row.label} (${client}): ${result.cpuSeconds.toFixed(1)} CPU s; ${left} left, ${secondsSince()}`,
    );
  });
  console.log("Report");
  for (const runs of measured) print(runs);
  const targets = targetsOf(measured);
  console.log("\nWhat was to be shown\n");
  for (const { passed, what, found } of targets) console.log(`${passed ? "pass" : "MISS"}  ${what}: ${found}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  await writeResult("fleet", { ...extent, seconds, targets, data: measured.map(plainOf) });
  const page = await writePage("fleet", renderPage(measured, targets, extent));
  console.log(`\n(${seconds.toFixed(0)} s; charts in ${page}, all figures in ${resultFile("fleet")})`);
}

function print(runs: FamilyRuns): void {
  console.log(`\n${runs.family.title}`);
  for (const { title, rows } of tablesOf(runs)) {
    console.log(`\n${title}\n`);
    for (const line of table(rows)) console.log(line);
  }
}

function plainOf({ family, runs }: FamilyRuns): object {
  const { name, title, by } = family;
  return {
    name,
    title,
    by,
    runs: runs.map(({ row, client, result }) => ({
      row: row.label,
      client,
      label: CLIENT_LABELS[client],
      scenario: row.scenario,
      ...result,
    })),
  };
}
