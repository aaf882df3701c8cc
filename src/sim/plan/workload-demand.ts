import type { CheckedWorkload } from "./checked-scenario.js";
import type { Demand } from "./demand.js";
import { random } from "./load.js";

/** GitHub's points: a read or query is 1, a write 5. */
const WRITE_POINTS = 5;

/** What `agents` with that workload each ask for in an hour, at random moments; `conditional`: what is unchanged is free. */
export function workloadDemand(workload: CheckedWorkload, agents: number, conditional: boolean): Demand {
  const { unchanged, unitsPerQuery, busiestRead, busiestWrite } = workload;
  const reads = agents * workload.readsPerHour;
  const writes = agents * workload.writesPerHour;
  const searches = agents * workload.searchesPerHour;
  const queries = agents * workload.queriesPerHour;
  return {
    rest: random(reads + writes + searches),
    graphql: random(queries),
    units: {
      core: reads * (conditional ? 1 - unchanged : 1) + writes,
      search: searches,
      graphql: queries * unitsPerQuery,
    },
    endpointPoints: {
      "the busiest read": random(reads * busiestRead),
      "the busiest write": random(writes * busiestWrite, WRITE_POINTS),
      search: random(searches),
    },
    graphqlPoints: random(queries),
    writes,
    contentWrites: random(agents * workload.contentWritesPerHour),
    pollShare: 0,
  };
}
