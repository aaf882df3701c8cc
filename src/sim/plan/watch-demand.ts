import { PULL } from "../fleet/needs.js";
import { type Demand, NO_DEMAND, sumOf } from "./demand.js";
import { even, NO_LOAD, together } from "./load.js";
import { ownCallsDemand } from "./own-calls.js";
import { pollShare } from "./poll-share.js";
import { readDemand } from "./read-demand.js";
import { statusDemand, togetherDemand } from "./status-demand.js";
import type { Watching } from "./watching.js";

/** What agents that watch a pull request each ask for in an hour. */
export function watchDemand(watching: Watching): Demand {
  const reads = readDemand(watching);
  const statuses = watching.polls === "together" ? togetherDemand(watching) : statusDemand(watching);
  const { looks, produced, changedReads } = statuses;
  const points = Object.entries(reads.byRoute).map(([route, sent]) => [route, even(sent)] as const);
  const endpointPoints = Object.fromEntries(points);
  const queries = even(looks + produced);
  const polls: Demand = {
    ...NO_DEMAND,
    rest: even(reads.requests + changedReads),
    graphql: queries,
    units: { core: reads.units + changedReads, search: 0, graphql: statuses.units },
    endpointPoints: { ...endpointPoints, [PULL]: together([endpointPoints[PULL] ?? NO_LOAD, even(changedReads)]) },
    graphqlPoints: queries,
    pollShare: pollShare(watching),
  };
  return sumOf([polls, ownCallsDemand(watching)]);
}
