import type { CheckedScenario } from "./checked-scenario.js";
import { sumOf } from "./demand.js";
import type { PlanUnits } from "./units.js";
import { watchDemand } from "./watch-demand.js";

/** So many changes that every read shows one. */
const EVERYTHING = 1e9;

const NOTHING: PlanUnits = Object.freeze({ core: 0, search: 0, graphql: 0 });

/**
 * What the first polls cost, in which everything is new: as much as one in which everything has changed. Where nothing is
 * remembered every poll is like the first, and none costs more.
 */
export function startUnits(scenario: CheckedScenario, counts: readonly number[]): PlanUnits {
  const { agents, conditional, polls, processes, assume } = scenario;
  if (!conditional) return NOTHING;
  const first = agents.flatMap(({ work }, kind) => {
    const count = counts[kind] ?? 0;
    if (count === 0 || work.kind !== "watch") return [];
    const watch = { ...work, ownCallsPerChange: 0 };
    const once = { pollsPerHour: 1, changesPerPoll: EVERYTHING };
    return [watchDemand({ agents: count, watch, polls, conditional, processes, assume, ...once })];
  });
  return sumOf(first).units;
}
