import { table } from "../table.js";
import { CLIENT_LABELS, type ClientName } from "./clients.js";
import type { Figures } from "./figures.js";

/** What a client came to, one entry for each seed. */
export type Results = ReadonlyMap<ClientName, readonly Figures[]>;

/** One line: a figure of every run, how it is written, and whether less of it is worse. */
interface Row {
  readonly label: string;
  readonly of: (figures: Figures) => number | undefined;
  readonly write: (value: number) => string;
  readonly lessIsWorse?: boolean;
}

const ROWS: readonly Row[] = [
  { label: "calls", of: ({ calls }) => calls, write: count },
  { label: "calls answered", of: ({ answered }) => answered, write: count, lessIsWorse: true },
  { label: "calls failed", of: ({ failed }) => failed, write: count },
  { label: "calls still open", of: ({ open }) => open || undefined, write: count },
  { label: "requests sent", of: ({ sent }) => sent, write: count },
  { label: "  refused by the primary limit", of: ({ refusedByPrimary }) => refusedByPrimary, write: count },
  { label: "  refused by a secondary limit", of: ({ refusedBySecondary }) => refusedBySecondary, write: count },
  { label: "  wasted: refused of sent", of: ({ wasted }) => wasted, write: percent },
  { label: "  sent while blocked", of: ({ sentWhileBlocked }) => sentWhileBlocked, write: count },
  { label: "  of these by processes refused themselves", of: ({ sentThoughTold }) => sentThoughTold, write: count },
  {
    label: "  most of these by one process, for one secondary refusal",
    of: (figures) => figures.mostAfterRefusal,
    write: count,
  },
  { label: "busiest second after a reset", of: ({ peakPerSecond }) => peakPerSecond, write: count },
  { label: "  times the even rate", of: ({ peakOverEven }) => peakOverEven, write: times },
  { label: "busiest minute after a reset, times the even rate", of: (figures) => figures.minuteOverEven, write: times },
  { label: "writes done twice", of: ({ duplicatedWrites }) => duplicatedWrites, write: count },
  { label: "quota used", of: ({ used }) => used, write: percent, lessIsWorse: true },
];

/** Lines of a table with a column for each client: means of all seeds, and the worst of them in parentheses. */
export function clientTable(results: Results): readonly string[] {
  const columns = [...results];
  const rows = ROWS.filter(({ of }) => columns.some(([, runs]) => runs.some((run) => of(run) !== undefined)));
  return table([
    ["", ...columns.map(([client]) => CLIENT_LABELS[client])],
    ...rows.map((row) => [row.label, ...columns.map(([, runs]) => cell(row, runs))]),
    ["calls failed, P0 / P1 / P2", ...columns.map(([, runs]) => byClass(({ failedOf }) => failedOf, count, runs))],
    ["p99 wait, P0 / P1 / P2", ...columns.map(([client, runs]) => waits(client, runs))],
    ["P0 writes overtaken by less urgent ones", ...columns.map(([, runs]) => overtaken(runs))],
  ]);
}

function cell({ of, write, lessIsWorse = false }: Row, runs: readonly Figures[]): string {
  const values = runs.flatMap((run) => of(run) ?? []);
  if (values.length === 0) return "-";
  const mean = write(meanOf(values));
  const worst = write(lessIsWorse ? Math.min(...values) : Math.max(...values));
  return values.length === 1 ? mean : `${mean} (${worst})`;
}

/** Only squads know classes: to the others all calls are one. */
function waits(client: ClientName, runs: readonly Figures[]): string {
  if (client === "squad") return byClass(({ p99WaitMsOf }) => p99WaitMsOf, duration, runs);
  const values = runs.flatMap(({ p99WaitMs }) => p99WaitMs ?? []);
  return values.length === 0 ? "-" : `all ${duration(meanOf(values))}`;
}

function byClass(
  of: (figures: Figures) => readonly (number | undefined)[],
  write: (value: number) => string,
  runs: readonly Figures[],
): string {
  const means = [0, 1, 2].map((priority) => {
    const values = runs.flatMap((run) => of(run)[priority] ?? []);
    return values.length === 0 ? "-" : write(meanOf(values));
  });
  return means.join(" / ");
}

function overtaken(runs: readonly Figures[]): string {
  const writes = runs.reduce((sum, { urgentWrites }) => sum + urgentWrites, 0);
  const late = runs.reduce((sum, { overtakenWrites }) => sum + overtakenWrites, 0);
  return writes === 0 ? "-" : `${late} of ${writes}`;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function times(value: number): string {
  return `${value < 10 ? value.toFixed(1) : count(value)}×`;
}

function duration(ms: number): string {
  return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
}
