import { type Load, NO_LOAD, together } from "./load.js";
import type { PlanUnits } from "./units.js";

/** What some agents ask of GitHub in an hour. */
export interface Demand {
  /** Requests that are sent. */
  readonly rest: Load;
  readonly graphql: Load;
  /** Units of primary quota. */
  readonly units: PlanUnits;
  /** Points of GitHub's secondary limits, by REST endpoint. */
  readonly endpointPoints: Readonly<Record<string, Load>>;
  readonly graphqlPoints: Load;
  /** Writes of any kind, and those that create content. */
  readonly writes: number;
  readonly contentWrites: Load;
  /** How long the longest poll takes, its requests one after the other, as a part of the time until the next. */
  readonly pollShare: number;
}

export const NO_DEMAND: Demand = Object.freeze({
  rest: NO_LOAD,
  graphql: NO_LOAD,
  units: { core: 0, search: 0, graphql: 0 },
  endpointPoints: {},
  graphqlPoints: NO_LOAD,
  writes: 0,
  contentWrites: NO_LOAD,
  pollShare: 0,
});

/** All of it together. */
export function sumOf(demands: readonly Demand[]): Demand {
  const total = (of: (demand: Demand) => number): number => demands.reduce((sum, demand) => sum + of(demand), 0);
  const load = (of: (demand: Demand) => Load): Load => together(demands.map(of));
  const endpoints = new Set(demands.flatMap(({ endpointPoints }) => Object.keys(endpointPoints)));
  const pointsOf = (endpoint: string): Load => load(({ endpointPoints }) => endpointPoints[endpoint] ?? NO_LOAD);
  return {
    rest: load(({ rest }) => rest),
    graphql: load(({ graphql }) => graphql),
    units: {
      core: total(({ units }) => units.core),
      search: total(({ units }) => units.search),
      graphql: total(({ units }) => units.graphql),
    },
    endpointPoints: Object.fromEntries([...endpoints].map((endpoint) => [endpoint, pointsOf(endpoint)])),
    graphqlPoints: load(({ graphqlPoints }) => graphqlPoints),
    writes: total(({ writes }) => writes),
    contentWrites: load(({ contentWrites }) => contentWrites),
    pollShare: Math.max(0, ...demands.map(({ pollShare }) => pollShare)),
  };
}
