import { callFigures } from "./call-figures.js";
import type { FamilyName } from "./family-names.js";
import { MEASURED_UNITS } from "./measured-units.js";
import { type FamilyRuns, type Run, runOf, runsOf } from "./runs.js";
import { watchFigures } from "./watch-figures.js";
import { count, limitName, percent, seconds, times } from "./words.js";

/** Something that was to be shown, and what was found. */
export interface Target {
  readonly passed: boolean;
  readonly what: string;
  readonly found: string;
}

/** What is to be shown of squadRate, as far as there were runs that can show it. */
export function targetsOf(measured: readonly FamilyRuns[]): readonly Target[] {
  return measured.flatMap((runs) => TARGETS[runs.family.name].flatMap((target) => target(runs) ?? []));
}

type MakeTarget = (runs: FamilyRuns) => Target | undefined;

const TARGETS: Readonly<Record<FamilyName, readonly MakeTarget[]>> = {
  quiet: [fewUnits, allNeeds, onTime, freeGuards, evenAnswers, evenCalls, tracedToTheUnit],
  measured: [reproduces, allNeeds, tracedToTheUnit],
  reactive: [halfOfQuotas, allNeeds, tracedToTheUnit],
  oversubscribed: [fullWindows, noInversions, noRefusals, fewRefusals, tracedToTheUnit],
  throughput: [fast, flatHeap],
};

function fewUnits(runs: FamilyRuns): Target | undefined {
  const run = runOf(runs, "e", "50");
  if (run === undefined) return undefined;
  const { graphqlPerHour } = watchFigures(run.result.report);
  return {
    passed: graphqlPerHour <= 400,
    what: "50 quiet sessions: at most 400 GraphQL units an hour",
    found: count(graphqlPerHour),
  };
}

/** Of squads, no poll fails and nothing is older than its poll. */
function allNeeds(runs: FamilyRuns): Target | undefined {
  const found = runsOf(runs, "e").map(({ result }) => watchFigures(result.report));
  if (found.length === 0) return undefined;
  const unmet = found.reduce((sum, one) => sum + one.unmet, 0);
  const failed = Math.max(...found.map((one) => one.failed));
  return {
    passed: unmet === 0 && failed === 0,
    what: `${runs.family.name}: every poll meets every need`,
    found: `${count(unmet)} unmet, ${percent(failed)} of polls failed at most`,
  };
}

function onTime(runs: FamilyRuns): Target | undefined {
  const found = runsOf(runs, "e").map(({ row, result }) => ({ label: row.label, ...watchFigures(result.report) }));
  const slowest = [...found].sort((one, other) => other.cycle - one.cycle)[0];
  const largest = found.at(-1);
  if (slowest === undefined || largest === undefined) return undefined;
  return {
    passed: slowest.cycle <= 1.05,
    what: "quiet: from poll to poll at most 1.05× of 30 s at every size",
    found: `${times(slowest.cycle)} with ${slowest.label} sessions; with ${largest.label}, ${limitName(largest.fullest)}`,
  };
}

function freeGuards(runs: FamilyRuns): Target | undefined {
  const hits = runsOf(runs, "e").map(({ result }) => watchFigures(result.report).guardHits ?? 0);
  if (hits.length === 0) return undefined;
  const least = Math.min(...hits);
  return { passed: least === 1, what: "quiet: every guarding read is a 304", found: percent(least, 2) };
}

function evenAnswers(runs: FamilyRuns): Target | undefined {
  return even(runs, "answers", ({ answerP99Ms }) => answerP99Ms);
}

function evenCalls(runs: FamilyRuns): Target | undefined {
  return even(runs, "calls, waits included", ({ callP99Ms }) => callP99Ms);
}

/** Of fewer, one in a hundred is chance. */
const FEW_ANSWERS = 300;

function even(
  runs: FamilyRuns,
  what: string,
  of: (figures: ReturnType<typeof watchFigures>) => number,
): Target | undefined {
  const all = runsOf(runs, "e");
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined || first === last) return undefined;
  if (first.result.report.exchanges.count < FEW_ANSWERS) return undefined;
  const [few, many] = [first, last].map(({ result }) => of(watchFigures(result.report))) as [number, number];
  return {
    passed: many <= 1.5 * few,
    what: `quiet: p99 of ${what}, with ${last.row.label} sessions at most 1.5× that with ${first.row.label}`,
    found: `${seconds(many)} and ${seconds(few)}, ${times(many / few)}`,
  };
}

function reproduces(runs: FamilyRuns): Target | undefined {
  const ratios = runsOf(runs, "c").flatMap(({ row, result }) => {
    const measured = MEASURED_UNITS.get(row.label);
    return measured === undefined ? [] : [watchFigures(result.report).graphqlPerHour / measured];
  });
  if (ratios.length === 0) return undefined;
  return {
    passed: ratios.every((ratio) => Math.abs(ratio - 1) <= 0.25),
    what: "(c) spends what was measured, within 25 % at each size",
    found: ratios.map((ratio) => ratio.toFixed(2)).join(", "),
  };
}

function halfOfQuotas(runs: FamilyRuns): Target | undefined {
  const found = runsOf(runs, "e").map(({ row, result }) => {
    const { limits } = result.report;
    const shareOf = (name: string): number => limits.find(({ limit }) => limit === name)?.share ?? 0;
    return { label: row.label, core: shareOf("core-units"), graphql: shareOf("graphql-units"), fullest: limits[0] };
  });
  if (found.length === 0) return undefined;
  return {
    passed: found.every(({ core, graphql }) => core <= 0.5 && graphql <= 0.5),
    what: `${runs.family.rows[0]?.scenario.agents[0]?.count} reactive sessions: at most half of either quota`,
    found: found
      .map(
        ({ label, core, graphql, fullest }) =>
          `${label}: core ${percent(core)}, graphql ${percent(graphql)}, fullest ${limitName(fullest)}`,
      )
      .join("; "),
  };
}

function fullWindows(runs: FamilyRuns): Target | undefined {
  const used = runsOf(runs, "e").map(({ row, result }) => ({ row, used: callFigures(result.report).used ?? 0 }));
  if (used.length === 0) return undefined;
  return {
    passed: used.every((one) => one.used >= 0.97),
    what: "oversubscribed: at least 97 % of each window is used, in the mean",
    found: used.map((one) => `${percent(one.used)} with ${one.row.label} hidden`).join(", "),
  };
}

function noInversions(runs: FamilyRuns): Target | undefined {
  const found = runsOf(runs, "e").map(({ row, result }) => ({ row, ...callFigures(result.report) }));
  if (found.length === 0) return undefined;
  return {
    passed: found.every(({ pool }) => pool.grants > 0 && pool.inversions === 0),
    what: "oversubscribed: no grant leaves more urgent calls that wait without what they are entitled to",
    found: found
      .map(
        ({ row, pool, overtaken }) =>
          `${count(pool.inversions)} of ${count(pool.grants)} grants with ${row.label} hidden (requests overtaken: ${overtaken
            .map(({ waitedMs, count: times }) => `${count(times)} of ${waitedMs / 1_000} s`)
            .join(", ")})`,
      )
      .join("; "),
  };
}

function noRefusals(runs: FamilyRuns): Target | undefined {
  const run = runOf(runs, "e", "0 %");
  if (run === undefined) return undefined;
  const { refusedPrimary } = callFigures(run.result.report);
  return {
    passed: refusedPrimary === 0,
    what: "oversubscribed, nothing hidden: GitHub refuses nothing for lack of quota",
    found: count(refusedPrimary),
  };
}

function fewRefusals(runs: FamilyRuns): Target | undefined {
  const run = runOf(runs, "e", "10 %");
  if (run === undefined) return undefined;
  const { refusedShare = 0, refusedPrimary } = callFigures(run.result.report);
  return {
    passed: refusedShare <= 0.001,
    what: "oversubscribed, 10 % hidden: at most 0.1 % of the limit is refused",
    found: `${percent(refusedShare, 3)}, ${count(refusedPrimary)} in all`,
  };
}

/** A process that dies takes along what its requests under way cost. */
const UNITS_OF_THE_DEAD = 20;

/** Of all that GitHub charged, by resource, what traces do not tell. */
function tracedToTheUnit(runs: FamilyRuns): Target | undefined {
  const differences = runsOf(runs, "e").flatMap(({ row, result: { report, tracedUnits } }) => {
    if (tracedUnits === undefined) return [];
    const resources = [...new Set(report.windows.map(({ resource }) => resource))];
    const deaths = (row.scenario.mishaps ?? []).filter(({ kind }) => kind === "kill").length;
    return resources.map((resource) => {
      const windows = report.windows.filter((window) => window.resource === resource);
      const charged = windows.reduce((sum, window) => sum + window.charged, 0);
      return { charged, untold: charged - (tracedUnits[resource] ?? 0), most: deaths * UNITS_OF_THE_DEAD };
    });
  });
  if (differences.length === 0) return undefined;
  const charged = differences.reduce((sum, one) => sum + one.charged, 0);
  return {
    passed: differences.every(({ untold, most }) => untold >= 0 && untold <= most),
    what: `${runs.family.name}: traces tell every unit that GitHub charged, but for requests of processes that died`,
    found: `${count(charged)} units; not told, by run and resource: ${differences.map(({ untold }) => count(untold)).join(", ")}`,
  };
}

const FOUR_MINUTES_S = 240;

function fast(runs: FamilyRuns): Target | undefined {
  const run = runsOf(runs, "e")[0];
  if (run === undefined || isShort(run)) return undefined;
  const { seconds: wall, cpuSeconds, report } = run.result;
  return {
    passed: wall < FOUR_MINUTES_S,
    what: "throughput: two hours of 500 agents in less than four minutes",
    found: `${count(report.calls.all.made)} calls in ${count(wall)} s, ${count(cpuSeconds)} s of them CPU time`,
  };
}

/** Beyond the half, by which time caches have what they will ever have. */
function flatHeap(runs: FamilyRuns): Target | undefined {
  const run = runsOf(runs, "e")[0];
  if (run === undefined || isShort(run)) return undefined;
  const megabytes = run.result.heap.map((sample) => sample.megabytes);
  const middle = megabytes[Math.floor(megabytes.length / 2)] ?? 0;
  const last = megabytes.at(-1) ?? 0;
  return {
    passed: last <= 1.1 * middle,
    what: "throughput: memory at the end at most 10 % above that at half time",
    found: `${megabytes.map((one) => count(one)).join(", ")} MB`,
  };
}

function isShort({ row }: Run): boolean {
  return row.scenario.forMs < 3_600_000;
}
