import { resultFile, writeResult } from "../write-result.js";
import { Children } from "./children.js";
import { CLIENTS, type ClientName } from "./clients.js";
import { compile } from "./compile.js";
import type { Figures } from "./figures.js";
import type { Job } from "./job.js";
import { type ScenarioName, scenarioOf } from "./scenarios.js";
import { clientTable } from "./tables.js";

/** How much of it. */
export interface Extent {
  /** Less of everything. */
  readonly quick: boolean;
  readonly seeds: number;
  readonly scenarios: readonly ScenarioName[];
}

/** Runs all clients, prints a table for each scenario, and writes down every run's figures. */
export async function compare({ quick, seeds: count, scenarios }: Extent): Promise<void> {
  const startedAt = performance.now();
  const seeds = Array.from({ length: count }, (_, index) => index + 1);
  const children = new Children<Job, Figures>(await compile("bench/recovery.ts"));
  // All are begun at once, so that no core waits for the last job of a scenario.
  const begun = scenarios.map((scenario) => ({
    scenario,
    clients: clientsIn(scenario).map((client) => ({
      client,
      runs: Promise.all(seeds.map((seed) => children.do({ scenario, client, seed, quick }))),
    })),
  }));
  const data: Partial<Record<ScenarioName, Readonly<Record<string, readonly Figures[]>>>> = {};
  for (const { scenario, clients } of begun) {
    const results = new Map<ClientName, readonly Figures[]>();
    for (const { client, runs } of clients) results.set(client, await runs);
    console.log(`\n${scenarioOf(scenario, 1, quick).title}\n`);
    for (const line of clientTable(results)) console.log(line);
    data[scenario] = Object.fromEntries(results);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  await writeResult("recovery", { quick, seeds, seconds, data });
  console.log(count === 1 ? "" : `\nMeans of ${count} seeds, the worst of them in parentheses.`);
  console.log(
    "The even rate is that at which the quota lasts until its reset. Refused requests spend quota too. Waits are",
  );
  console.log("those of answered calls, from arrival to answer.");
  console.log(`(${seconds.toFixed(1)} s; all figures in ${resultFile("recovery")})`);
}

/**
 * The more patient of two is left out where it comes to the same: it waits a minute after a secondary refusal whether that is
 * asked for or not, and it can gain nothing where too much is wanted.
 */
function clientsIn(scenario: ScenarioName): readonly ClientName[] {
  const everybody = scenario === "refused-bare" || scenario === "crowd";
  return CLIENTS.filter((client) => everybody || client !== "persistent");
}
