import { table } from "../table.js";
import { callFigures } from "./call-figures.js";
import { CLIENT_LABELS, type ClientName } from "./clients.js";
import { type FamilyRuns, type Run, runOf, runsOf } from "./runs.js";
import { type WatchFigures, watchFigures } from "./watch-figures.js";
import { count, limitName, percent, seconds, times } from "./words.js";

/** A table with its title. */
export interface Titled {
  readonly title: string;
  readonly lines: readonly string[];
}

/** All tables of a family. */
export function tablesOf(runs: FamilyRuns): readonly Titled[] {
  const { kind, clients, rows } = runs.family;
  if (kind === "call") return rows.map(({ label }) => callTable(runs, label));
  const overviews = OVERVIEWS.map(([title, cell]) => ({ title, lines: overview(runs, cell) }));
  return [...overviews, ...clients.map((client) => ({ title: nameOf(client), lines: watchTable(runs, client) }))];
}

/** `(e) squadRate` */
export function nameOf(client: ClientName): string {
  return `(${client}) ${CLIENT_LABELS[client]}`;
}

type Cell = (figures: WatchFigures) => string;

const OVERVIEWS: readonly (readonly [title: string, cell: Cell])[] = [
  ["GraphQL units an hour", ({ graphqlPerHour }) => count(graphqlPerHour)],
  ["From poll to poll, as a multiple of 30 s", ({ cycle }) => times(cycle)],
  ["Polls that failed", ({ failed }) => percent(failed)],
];

function overview(runs: FamilyRuns, cell: Cell): readonly string[] {
  const { family } = runs;
  return table([
    [family.by, ...family.clients.map((client) => `(${client})`)],
    ...family.rows.map(({ label }) => [
      label,
      ...family.clients.map((client) => {
        const run = runOf(runs, client, label);
        return run === undefined ? "-" : cell(watchFigures(run.result.report));
      }),
    ]),
  ]);
}

const WATCH_HEAD = [
  ...["GraphQL/h", "REST/h", "req/min", "cycle", "304s", "refused 1st", "2nd", "blocked", "failed", "unmet"],
  ...["answer p50", "p99", "call p99", "fullest limit"],
];

function watchTable(runs: FamilyRuns, client: ClientName): readonly string[] {
  return table([
    [runs.family.by, ...WATCH_HEAD],
    ...runsOf(runs, client).map(({ row, result }) => {
      const figures = watchFigures(result.report);
      return [
        row.label,
        count(figures.graphqlPerHour),
        count(figures.restPerHour),
        count(figures.perMinute),
        times(figures.cycle),
        percent(figures.guardHits),
        count(figures.refusedPrimary),
        count(figures.refusedSecondary),
        count(figures.sentWhileBlocked),
        percent(figures.failed),
        count(figures.unmet),
        seconds(figures.answerP50Ms),
        seconds(figures.answerP99Ms),
        seconds(figures.callP99Ms),
        limitName(figures.fullest),
      ];
    }),
  ]);
}

const CALL_HEAD = [
  ...["calls", "answered", "P0", "P1", "P2", "p99 P0", "P1", "P2", "requests", "used", "refused 1st", "a window"],
  ...["2nd", "blocked", "overtaken 5/30/120 s", "store/req", "CPU", "heap"],
];

function callTable(runs: FamilyRuns, label: string): Titled {
  const { family } = runs;
  const rows = family.clients.flatMap((client) => {
    const run = runOf(runs, client, label);
    return run === undefined ? [] : [callRow(run)];
  });
  return { title: `${family.by}: ${label}`, lines: table([["client", ...CALL_HEAD], ...rows]) };
}

function callRow({ client, result }: Run): readonly string[] {
  const figures = callFigures(result.report);
  return [
    nameOf(client),
    count(figures.made),
    percent(figures.answered),
    ...figures.answeredByPriority.map((share) => percent(share, 0)),
    ...figures.p99Ms.map(seconds),
    count(figures.requests),
    percent(figures.used),
    count(figures.refusedPrimary),
    percent(figures.refusedShare, 2),
    count(figures.refusedSecondary),
    count(figures.sentWhileBlocked),
    figures.inversions.map((one) => count(one.count)).join("/"),
    figures.storePerRequest.toFixed(2),
    `${result.cpuSeconds.toFixed(0)} s`,
    heapWords(result.heap),
  ];
}

/** From the first look to the last. */
function heapWords(heap: Run["result"]["heap"]): string {
  const [first] = heap;
  const last = heap.at(-1);
  return first === undefined || last === undefined ? "-" : `${count(first.megabytes)}-${count(last.megabytes)} MB`;
}
