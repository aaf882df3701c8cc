import { carried } from "./carried.js";
import { type CheckedScenario, PLANNED_RESOURCES, type PlannedResource } from "./checked-scenario.js";
import { fleetDemand } from "./fleet-demand.js";
import { isUnits, type LimitUse, limitUses, type PlanLimitName } from "./limits.js";
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
  const isFine = (use: LimitUse): boolean => hasRoom(scenario, use);
  const carries = carried((agents) => usesOf(agents).every(isFine));
  const tooMuch = Number.isFinite(carries) ? usesOf(carries + 1).find((use) => !isFine(use)) : undefined;
  return { carries, stopsAt: tooMuch?.limit };
}

/** A client that does not wait when a limit is near is refused in its worst minute, so that has to fit as well. */
function hasRoom({ conditional, assume }: CheckedScenario, { share, peak, allowed }: LimitUse): boolean {
  return share <= assume.safeShare && (conditional || peak <= allowed);
}

/** Each process keeps a tenth of its part free, since it knows the others' from a while ago. */
const REACH_OF_PROCESSES = 0.9;
const DIVIDED: readonly PlanLimitName[] = [
  "response-time",
  "graphql-response-time",
  "endpoint-points",
  "graphql-points",
];

/**
 * How many times slower than asked it goes, so that no limit is passed. Where a minute's limits bind, everything goes more
 * slowly. Where units run out, it goes on at that pace until they have, and then rests until the reset: what changes
 * meanwhile is paid for once.
 */
export function cycleOf(scenario: CheckedScenario, counts: readonly number[]): number {
  const usesAt = (slowdown: number): readonly LimitUse[] =>
    limitUses(scenario, fleetDemand(scenario, { counts, slowdown }));
  const reachOf = (limit: PlanLimitName): number =>
    scenario.dividesLimits && DIVIDED.includes(limit) ? REACH_OF_PROCESSES : 1;
  const slowdown = slowdownThatFits((times) =>
    usesAt(times).every(({ limit, share }) => isUnits(limit) || share <= reachOf(limit)),
  );
  if (!Number.isFinite(slowdown)) return slowdown;
  const { units } = fleetDemand(scenario, { counts, slowdown });
  return slowdown * Math.max(1, ...PLANNED_RESOURCES.map((resource) => overdrawn(scenario, resource, units[resource])));
}

/** What is asked of a resource by what others leave of it. */
function overdrawn({ quotas, hidden }: CheckedScenario, resource: PlannedResource, perHour: number): number {
  if (perHour === 0) return 0;
  const { limit, windowMs } = quotas[resource];
  return perHour / Math.max(0, (limit * HOUR_MS) / windowMs - (hidden[resource] ?? 0));
}

const HOUR_MS = 3_600_000;
