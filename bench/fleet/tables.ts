import { callFigures } from "./call-figures.js";
import { CLIENT_LABELS, type ClientName } from "./clients.js";
import { MEASURED_UNITS } from "./measured-units.js";
import { type FamilyRuns, type Run, runOf, runsOf } from "./runs.js";
import { type WatchFigures, watchFigures } from "./watch-figures.js";
import { count, limitName, percent, seconds, times } from "./words.js";

/** A table with its title; its first row is its head. */
export interface Titled {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** All tables of a family. */
export function tablesOf(runs: FamilyRuns): readonly Titled[] {
  const { kind, clients, rows, name } = runs.family;
  if (kind === "call") return rows.map(({ label }) => callTable(runs, label));
  const overviews = OVERVIEWS.map(([title, cell]) => ({ title, rows: overview(runs, cell) }));
  const each = clients.map((client) => ({ title: nameOf(client), rows: watchTable(runs, client) }));
  return [...(name === "measured" ? [reproduced(runs)] : []), ...overviews, ...each];
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

function overview(runs: FamilyRuns, cell: Cell): Titled["rows"] {
  const { family } = runs;
  return [
    [family.by, ...family.clients.map((client) => `(${client})`)],
    ...family.rows.map(({ label }) => [
      label,
      ...family.clients.map((client) => {
        const run = runOf(runs, client, label);
        return run === undefined ? "-" : cell(watchFigures(run.result.report));
      }),
    ]),
  ];
}

/** Client (c) beside the measurements that it is to reproduce. */
function reproduced(runs: FamilyRuns): Titled {
  const rows = runsOf(runs, "c").flatMap(({ row, result }) => {
    const measured = MEASURED_UNITS.get(row.label);
    const { graphqlPerHour } = watchFigures(result.report);
    if (measured === undefined) return [];
    return [[row.label, count(measured), count(graphqlPerHour), (graphqlPerHour / measured).toFixed(2)]];
  });
  return {
    title: "GraphQL units an hour, as measured on real squads and of (c)",
    rows: [["sessions", "measured", "(c)", "ratio"], ...rows],
  };
}

const WATCH_HEAD = [
  ...["GraphQL/h", "REST/h", "req/min", "cycle", "304s", "refused 1st", "2nd", "blocked", "failed", "unmet"],
  ...["answer p50", "p99", "call p99", "fullest limit"],
];

function watchTable(runs: FamilyRuns, client: ClientName): Titled["rows"] {
  return [
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
  ];
}

const CALL_HEAD = [
  ...["calls", "answered", "P0", "P1", "P2", "p99 P0", "P1", "P2", "requests", "used", "refused 1st", "a window"],
  ...["2nd", "blocked", "overtaken 5/30/120 s", "inverted grants", "store/req", "seconds", "CPU", "heap"],
];

function callTable(runs: FamilyRuns, label: string): Titled {
  const { family } = runs;
  const rows = family.clients.flatMap((client) => {
    const run = runOf(runs, client, label);
    return run === undefined ? [] : [callRow(run)];
  });
  return { title: `${family.by}: ${label}`, rows: [["client", ...CALL_HEAD], ...rows] };
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
    figures.overtaken.map((one) => count(one.count)).join("/"),
    figures.pool.grants === 0 ? "-" : `${count(figures.pool.inversions)} of ${count(figures.pool.grants)}`,
    figures.storePerRequest.toFixed(2),
    result.seconds.toFixed(0),
    result.cpuSeconds.toFixed(0),
    heapWords(result.heap),
  ];
}

/** From the first look to the last. */
function heapWords(heap: Run["result"]["heap"]): string {
  const [first] = heap;
  const last = heap.at(-1);
  return first === undefined || last === undefined ? "-" : `${count(first.megabytes)}-${count(last.megabytes)} MB`;
}
