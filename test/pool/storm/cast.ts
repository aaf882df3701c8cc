import type { Priority } from "../../../src/index.js";
import type { WorkerTask } from "./worker-line.js";

export interface CastOptions {
  readonly limit: number;
  readonly windowMs: number;
  /** Demand as a share of the limit. */
  readonly demand: number;
  readonly seed: number;
  /** What the agents' clocks are off by, in turn. */
  readonly clockSkewsMs: readonly number[];
}

/** Of the agents, by index: two urgent, two ordinary, four that take what is left. */
const PRIORITIES: readonly Priority[] = [0, 0, 1, 1, 2, 2, 2, 2];
/** Of the demand, by class. */
const DEMAND_SPLIT = [0.2, 0.3, 0.5] as const;
/** Eight agents, named after what they are: `p0-0`, `p0-1`, `p1-2`, … `p2-7`. */
export function castOf(
  options: CastOptions,
  common: Omit<WorkerTask, "agent" | "priority" | "callsPerSecond" | "seed" | "clockSkewMs">,
): readonly WorkerTask[] {
  const { limit, windowMs, demand, seed, clockSkewsMs } = options;
  return PRIORITIES.map((priority, index) => {
    const ofClass = PRIORITIES.filter((other) => other === priority).length;
    return {
      ...common,
      agent: `p${priority}-${index}`,
      priority,
      callsPerSecond: (demand * limit * DEMAND_SPLIT[priority]) / ofClass / (windowMs / 1_000),
      seed: seed + index,
      clockSkewMs: clockSkewsMs[index % clockSkewsMs.length] ?? 0,
    };
  });
}
