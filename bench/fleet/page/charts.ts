import { callFigures } from "../call-figures.js";
import { CLIENTS, type ClientName } from "../clients.js";
import { MEASURED_UNITS } from "../measured-units.js";
import { type FamilyRuns, runOf } from "../runs.js";
import { nameOf } from "../tables.js";
import { type WatchFigures, watchFigures } from "../watch-figures.js";
import { count, percent, seconds, times } from "../words.js";
import { barChart, type ChartOf, lineChart, type Series } from "./line-chart.js";

/** A chart with its heading and what to know of it. */
export interface Picture {
  readonly heading: string;
  readonly svg: string;
}

/** What pictures there are of a family. */
export function picturesOf(runs: FamilyRuns): readonly Picture[] {
  const { name, kind } = runs.family;
  if (kind === "call") return name === "oversubscribed" ? [waits(runs), answered(runs)] : [];
  const draw = runs.family.rows.length > 3 ? lineChart : barChart;
  return WATCHED.map(({ id, heading, of, words, most }) => {
    const series = runs.family.clients.map((client) => seriesOf(runs, client, of));
    const isCompared = name === "measured" && id === "units";
    const chart: ChartOf = {
      id: `${name}-${id}`,
      title: heading,
      labels: runs.family.rows.map(({ label }) => label),
      series: isCompared ? [...series, table(runs)] : series,
      words,
      ...(most === undefined ? {} : { most }),
    };
    return {
      heading: most === undefined ? heading : `${heading}; the picture ends at ${count(most)}`,
      svg: draw(chart),
    };
  });
}

interface Watched {
  readonly id: string;
  readonly heading: string;
  readonly of: (figures: WatchFigures) => number;
  readonly words: (value: number) => string;
  readonly most?: number;
}

const WATCHED: readonly Watched[] = [
  { id: "units", heading: "GraphQL units an hour (the quota is 5,000)", of: (one) => one.graphqlPerHour, words: count },
  { id: "cycle", heading: "From poll to poll, as a multiple of 30 s", of: (one) => one.cycle, words: times, most: 6 },
  { id: "failed", heading: "Polls that failed, %", of: (one) => 100 * one.failed, words: (one) => percent(one / 100) },
  { id: "requests", heading: "Requests a minute", of: (one) => one.perMinute, words: count, most: 500 },
  {
    id: "limit",
    heading: "How full the fullest of GitHub's limits was, %",
    of: (one) => 100 * (one.fullest?.share ?? 0),
    words: (one) => percent(one / 100),
    most: 150,
  },
];

function seriesOf(runs: FamilyRuns, client: ClientName, of: Watched["of"]): Series {
  const values = runs.family.rows.map(({ label }) => {
    const run = runOf(runs, client, label);
    return run === undefined ? undefined : of(watchFigures(run.result.report));
  });
  return { name: nameOf(client), colour: colourOf(client), values };
}

/** What was measured on real squads. */
function table(runs: FamilyRuns): Series {
  const values = runs.family.rows.map(({ label }) => MEASURED_UNITS.get(label));
  return { name: "measured on real squads", colour: "c8", values };
}

function waits(runs: FamilyRuns): Picture {
  const heading = "How long answered calls took, p99 in seconds, by priority";
  return byPriority(
    runs,
    "waits",
    heading,
    ({ p99Ms }) => p99Ms.map((ms) => ms / 1_000),
    (one) => seconds(1_000 * one),
  );
}

function answered(runs: FamilyRuns): Picture {
  const heading = "Calls that were answered, %, by priority";
  const shares = ({ answeredByPriority }: ReturnType<typeof callFigures>): readonly number[] =>
    answeredByPriority.map((share) => 100 * share);
  return byPriority(runs, "answered", heading, shares, (one) => percent(one / 100));
}

function byPriority(
  runs: FamilyRuns,
  id: string,
  heading: string,
  of: (figures: ReturnType<typeof callFigures>) => readonly number[],
  words: (value: number) => string,
): Picture {
  const { rows, clients, by } = runs.family;
  const labels = rows.flatMap(({ label }) => [0, 1, 2].map((priority) => `P${priority}, ${by} ${label}`));
  const series = clients.map((client): Series => {
    const values = rows.flatMap(({ label }): readonly (number | undefined)[] => {
      const run = runOf(runs, client, label);
      return run === undefined ? [undefined, undefined, undefined] : of(callFigures(run.result.report));
    });
    return { name: nameOf(client), colour: colourOf(client), values };
  });
  return { heading, svg: barChart({ id, title: heading, labels, series, words }) };
}

function colourOf(client: ClientName): string {
  return COLOURS[CLIENTS.indexOf(client)] ?? "c9";
}

/** By client; squadRate's are of a kind. */
const COLOURS: readonly string[] = ["c3", "c1", "c4", "c6", "c0", "c5", "c2"];
