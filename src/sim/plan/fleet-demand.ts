import type { CheckedScenario, CheckedWatch, CheckedWorkload } from "./checked-scenario.js";
import { type Demand, sumOf } from "./demand.js";
import { watchDemand } from "./watch-demand.js";
import { workloadDemand } from "./workload-demand.js";

const HOUR_MS = 3_600_000;

/** Which fleet, and how it goes. */
export interface FleetQuestion {
  /** How many agents there are of each kind, in the order of the scenario. */
  readonly counts: readonly number[];
  /** How many times slower than asked polls and calls go. Default 1. */
  readonly slowdown?: number;
  /** Which kinds to add up. Default: all. */
  readonly only?: (kind: number) => boolean;
}

/** What a fleet asks for in an hour. */
export function fleetDemand(scenario: CheckedScenario, question: FleetQuestion): Demand {
  const { agents, conditional, polls, processes, assume } = scenario;
  const { counts, slowdown = 1, only = () => true } = question;
  const countOf = (kind: number): number => counts[kind] ?? 0;
  const watching = agents.reduce((sum, { work }, kind) => sum + (work.kind === "watch" ? countOf(kind) : 0), 0);
  const demands = agents.flatMap(({ work }, kind) => {
    const count = countOf(kind);
    if (count === 0 || !only(kind)) return [];
    if (work.kind === "workload") return [workloadDemand(slower(work, slowdown), count, conditional)];
    const pollsPerHour = HOUR_MS / (work.everyMs * slowdown);
    const changesPerPoll = changesPerHour(scenario, work, watching) / pollsPerHour;
    // An agent that polls less often makes its own calls as often, since what it changes is its work.
    return [
      watchDemand({ agents: count, watch: work, polls, conditional, processes, pollsPerHour, changesPerPoll, assume }),
    ];
  });
  return sumOf(demands);
}

/** Of each watched pull request. */
function changesPerHour({ changes }: CheckedScenario, { everyMs }: CheckedWatch, watching: number): number {
  return changes.kind === "rate" ? changes.perHour / watching : (changes.sharePerPoll * HOUR_MS) / everyMs;
}

function slower(workload: CheckedWorkload, times: number): CheckedWorkload {
  const { readsPerHour, writesPerHour, contentWritesPerHour, searchesPerHour, queriesPerHour } = workload;
  return {
    ...workload,
    readsPerHour: readsPerHour / times,
    writesPerHour: writesPerHour / times,
    contentWritesPerHour: contentWritesPerHour / times,
    searchesPerHour: searchesPerHour / times,
    queriesPerHour: queriesPerHour / times,
  };
}
