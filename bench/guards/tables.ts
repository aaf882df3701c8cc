import { table } from "../table.js";
import type { Figures } from "./figures.js";
import { CLIENT_LABELS, type ClientName } from "./make-client.js";

/** Figures by whatever a row stands for, such as a number of sessions. */
export type Runs = ReadonlyMap<number, Figures>;
export type Results = ReadonlyMap<ClientName, Runs>;

/** GraphQL units an hour of all clients; `beside` is another column. */
export function unitsTable(
  results: Results,
  what: string,
  beside?: { readonly head: string; readonly cells: ReadonlyMap<number, string> },
): readonly string[] {
  const rows = [...new Set([...results.values()].flatMap((runs) => [...runs.keys()]))];
  const clients = [...results];
  return table([
    [what, ...(beside === undefined ? [] : [beside.head]), ...clients.map(([client]) => CLIENT_LABELS[client])],
    ...rows.map((row) => [
      String(row),
      ...(beside === undefined ? [] : [beside.cells.get(row) ?? "-"]),
      ...clients.map(([, runs]) => count(runs.get(row)?.graphqlUnitsPerHour ?? Number.NaN)),
    ]),
  ]);
}

/** Everything about one client. `first` is what the warm-up cost in GraphQL units, `cycle` from a poll to the next. */
export function clientTable(runs: Runs, what: string): readonly string[] {
  const head = ["GraphQL/h", "REST/h", "304s", "calls/min", "cycle", "produced", "queries", "refused", "violations"];
  return table([
    [what, "first", ...head],
    ...[...runs].map(([row, figures]) => [
      String(row),
      count(figures.firstUnits),
      count(figures.graphqlUnitsPerHour),
      count(figures.restUnitsPerHour),
      `${(100 * figures.notModified).toFixed(1)} %`,
      figures.callsPerMinute.toFixed(1),
      `${(figures.cycleMs / 1_000).toFixed(1)} s`,
      count(figures.produced),
      count(figures.queries),
      count(figures.refused),
      count(Object.values(figures.violations).reduce((sum, times) => sum + times, 0)),
    ]),
  ]);
}

function count(value: number): string {
  return Number.isNaN(value) ? "-" : Math.round(value).toLocaleString("en-US");
}
