import type { Priority } from "../../src/policy/light.js";
import type { FleetAgents, FleetScenario } from "../../src/sim/fleet/scenario.js";

const COUNTS: readonly (readonly [Priority, number])[] = [
  [0, 125],
  [1, 125],
  [2, 250],
];

/**
 * Many calls of many agents, to see how long a simulation of them takes and what it keeps in memory: reads of what has not
 * changed, so that quota lasts for whoever asks conditionally and the world does not grow, and a few queries.
 */
export function throughputFleet({ forMs, seed }: { readonly forMs: number; readonly seed: number }): FleetScenario {
  const agents = COUNTS.map(
    ([priority, count]): FleetAgents => ({
      name: `p${priority}`,
      count,
      priority,
      work: { kind: "calls", perHour: 480, unchanged: 0.99, graphql: 0.01 },
    }),
  );
  return {
    seed,
    warmUpMs: 0,
    forMs,
    agents,
    processes: 20,
    github: { secondary: false },
    storeLatencyMs: 2,
  };
}
