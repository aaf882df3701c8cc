import { compile } from "../recovery/compile.js";
import { resultFile, writeResult } from "../write-result.js";
import { Children } from "./children.js";
import { CLIENT_LABELS, CLIENTS, type ClientName } from "./make-client.js";
import type { Scenario } from "./scenario.js";
import { clientTable, type Results, unitsTable } from "./tables.js";

const MINUTE_MS = 60_000;

/** GraphQL units an hour of real squads with guards written by hand, by sessions, when nothing changed. */
const MEASURED: ReadonlyMap<number, string> = new Map([
  [5, "260"],
  [10, "640"],
  [20, "680"],
  [30, "900"],
  [40, "1,140"],
  [50, "~1,400"],
]);

/** How much of it. */
export interface Extent {
  /** Fewer sessions, for less time. */
  readonly quick: boolean;
  /** How many processes at once. */
  readonly atOnce: number;
}

/** Runs all clients, prints their tables, and writes down every run's figures. */
export async function compare({ quick, atOnce }: Extent): Promise<void> {
  const startedAt = performance.now();
  const children = new Children(await compile("bench/graphql-guards.ts"), atOnce);
  const run = (rows: readonly number[], scenarioOf: (row: number) => Scenario): Promise<Results> =>
    runAll(children, rows, scenarioOf);
  const of = (scenario: Partial<Scenario>): Scenario => ({
    ...{ sessions: quick ? 20 : 50, changesPerPoll: 0, start: "spread" },
    ...{ warmUpMs: (quick ? 2 : 10) * MINUTE_MS, forMs: (quick ? 10 : 30) * MINUTE_MS },
    ...scenario,
  });
  const hour = quick ? {} : { forMs: 60 * MINUTE_MS };
  // All are begun at once, so that no core waits for the last run of a table.
  const [quiet, together, byChanges, bySessions] = [
    run(quick ? [5, 20] : [...MEASURED.keys()], (sessions) => of({ ...hour, sessions })),
    run([quick ? 20 : 50], (sessions) => of({ sessions, start: "together" })),
    run(quick ? [1, 2] : [0, 1, 2, 5], (changesPerPoll) => of({ changesPerPoll })),
    run(quick ? [10, 20] : [10, 20, 30, 40, 50], (sessions) => of({ sessions, changesPerPoll: 1 })),
  ];
  print(
    "Nothing changes: GraphQL units an hour",
    unitsTable(await quiet, "sessions", { head: "measured", cells: MEASURED }),
  );
  printEach(await quiet, "sessions");
  print("The same when all pollers begin at the same moment", unitsTable(await together, "sessions"));
  printEach(await together, "sessions");
  print(
    `Of ${of({}).sessions} sessions some change every 30 s: GraphQL units an hour`,
    unitsTable(await byChanges, "changes"),
  );
  printEach(await byChanges, "changes");
  print("One session changes every 30 s: GraphQL units an hour", unitsTable(await bySessions, "sessions"));
  printEach(await bySessions, "sessions");
  const seconds = (performance.now() - startedAt) / 1_000;
  const data = await Promise.all([quiet, together, byChanges, bySessions].map(async (results) => plain(await results)));
  await writeResult("guards", { quick, seconds, data });
  console.log(`\n(${seconds.toFixed(1)} s; all figures in ${resultFile("guards")})`);
}

async function runAll(
  children: Children,
  rows: readonly number[],
  scenarioOf: (row: number) => Scenario,
): Promise<Results> {
  const results = CLIENTS.map(async (client) => {
    const runs = rows.map(async (row) => {
      const figures = await children.do({ client, scenario: scenarioOf(row), seed: 1 });
      return [row, figures] as const;
    });
    return [client, new Map(await Promise.all(runs))] as const;
  });
  return new Map<ClientName, ReadonlyMap<number, Awaited<ReturnType<Children["do"]>>>>(await Promise.all(results));
}

function printEach(results: Results, what: string): void {
  for (const [client, runs] of results) print(CLIENT_LABELS[client], clientTable(runs, what));
}

function print(title: string, lines: readonly string[]): void {
  console.log(`\n${title}\n`);
  for (const line of lines) console.log(line);
}

function plain(results: Results): Readonly<Record<string, object>> {
  return Object.fromEntries([...results].map(([client, runs]) => [client, Object.fromEntries(runs)]));
}
