import type { Priority } from "../../policy/light.js";
import type { CheckedScenario } from "./checked-scenario.js";
import { type ClassDemand, divideAlike, divideByParts, divideInOrder, type PlanClass } from "./classes.js";
import { fleetDemand } from "./fleet-demand.js";
import { isUnits, type LimitUse, limitUses } from "./limits.js";

const PRIORITIES: readonly Priority[] = [0, 1, 2];

/** What each class asks of a limit, and what it gets. */
export function classesOf(
  scenario: CheckedScenario,
  counts: readonly number[],
  binding: LimitUse,
): readonly PlanClass[] {
  const { agents, conditional } = scenario;
  const classes = PRIORITIES.map((priority): ClassDemand => {
    const only = (kind: number): boolean => agents[kind]?.priority === priority;
    const demand = fleetDemand(scenario, { counts, only });
    // What others spend is no class's.
    const uses = limitUses({ ...scenario, hidden: {} }, demand);
    return {
      priority,
      agents: counts.reduce((sum, count, kind) => sum + (only(kind) ? count : 0), 0),
      asks: uses.find(({ limit }) => limit === binding.limit)?.used ?? 0,
    };
  }).filter((one) => one.agents > 0);
  const asked = classes.reduce((sum, { asks }) => sum + asks, 0);
  const available = Math.max(0, binding.allowed - (binding.used - asked));
  if (!conditional || binding.limit === "poll-time") return divideAlike(classes, available);
  // Units are divided among all processes by class; of the other limits a process gives to the most urgent first.
  return isUnits(binding.limit) ? divideByParts(classes, available) : divideInOrder(classes, available);
}
