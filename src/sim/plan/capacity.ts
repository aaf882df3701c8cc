import { carried } from "./carried.js";
import type { CheckedScenario } from "./checked-scenario.js";
import { fleetDemand } from "./fleet-demand.js";
import { type LimitUse, limitUses, type PlanLimitName } from "./limits.js";
import { mixture } from "./mixture.js";
import { slowdownThatFits } from "./slowdown.js";

/** How many agents a token carries, and what stops one more. */
export interface Capacity {
  readonly carries: number;
  readonly stopsAt: PlanLimitName | undefined;
}

export function capacityOf(scenario: CheckedScenario, counts: readonly number[]): Capacity {
  if (counts.length === 0) return { carries: Number.POSITIVE_INFINITY, stopsAt: undefined };
  const mix = mixture(counts);
  const usesOf = (agents: number): readonly LimitUse[] =>
    limitUses(scenario, fleetDemand(scenario, { counts: mix(agents) }));
  const { safeShare } = scenario.assume;
  const carries = carried((agents) => usesOf(agents).every(({ share }) => share <= safeShare));
  return { carries, stopsAt: Number.isFinite(carries) ? usesOf(carries + 1)[0]?.limit : undefined };
}

/** How many times slower than asked it goes, so that no limit is passed. */
export function cycleOf(scenario: CheckedScenario, counts: readonly number[]): number {
  return slowdownThatFits((slowdown) =>
    limitUses(scenario, fleetDemand(scenario, { counts, slowdown })).every(({ share }) => share <= 1),
  );
}
