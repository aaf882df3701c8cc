import { type Random, randomNormal } from "./random.js";

/** How long answers take: log-normal, by the kind of request, in milliseconds. */
export interface LatencyOptions {
  /** Median of REST answers. Default 200. */
  readonly restMedianMs: number;
  /** Median of GraphQL answers. Default 1,300. */
  readonly graphqlMedianMs: number;
  /** Spread: the standard deviation of the logarithm. Default 0.35, which puts GraphQL between about 0.6 and 3 s. */
  readonly sigma: number;
  /** No answer takes longer. Default 10,000, GitHub's own time limit. */
  readonly maxMs: number;
  /** Where within that time the request takes effect, 0 (on arrival) to 1 (just before the answer). Default 0.5. */
  readonly effectShare: number;
}

export const LATENCY_DEFAULTS: LatencyOptions = {
  restMedianMs: 200,
  graphqlMedianMs: 1_300,
  sigma: 0.35,
  maxMs: 10_000,
  effectShare: 0.5,
};

/** One sample. */
export function latencyMs(options: LatencyOptions, kind: "rest" | "graphql", random: Random): number {
  const median = kind === "rest" ? options.restMedianMs : options.graphqlMedianMs;
  return Math.min(options.maxMs, Math.round(median * Math.exp(options.sigma * randomNormal(random))));
}
