/**
 * GitHub's secondary rate limits, as knobs. The numbers are GitHub's published ones; what is not published is an
 * option here.
 *
 * @see https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
 */
export interface SecondaryLimitOptions {
  /** Requests of one principal in flight at once, REST and GraphQL together. Default 100. */
  readonly concurrency: number;
  /** Points per minute to one REST endpoint: 1 for a read, 5 for a write. Default 900. */
  readonly pointsPerEndpointPerMinute: number;
  /** What "one endpoint" is: the route template or the literal path. Not published. Default `"template"`. */
  readonly by: "template" | "path";
  /** Points per minute to GraphQL: 1 for a query, 5 for a mutation. Default 2,000. */
  readonly graphqlPointsPerMinute: number;
  /** Milliseconds of work per minute; the time an answer took stands in for it, so it needs `latency`. Default 90,000. */
  readonly cpuMsPerMinute: number;
  /** As `cpuMsPerMinute`, for GraphQL alone. Default 60,000. */
  readonly graphqlCpuMsPerMinute: number;
  /** Content-creating requests per minute. Default 80. */
  readonly contentPerMinute: number;
  /** Content-creating requests per hour. Default 500. */
  readonly contentPerHour: number;
  /** Installation-token and OAuth-token requests per hour. Default 2,000. */
  readonly tokensPerHour: number;
  /**
   * How a refusal looks: `"retry-after"` has `Retry-After: 60` and no rate headers; `"bare"` has the usual rate headers
   * with units remaining and no `Retry-After`, which is the more common form. Default `"bare"`.
   */
  readonly headerProfile: "retry-after" | "bare";
  /** Shortest and longest time until a refused principal is let in again, in milliseconds. Default [30,000, 65,000]. */
  readonly recoveryMs: readonly [shortest: number, longest: number];
  /** A request sent while refused prolongs the refusal by `perRequestMs`, up to `maxMs` from then. Default `false`. */
  readonly growingPenalty: false | { readonly perRequestMs: number; readonly maxMs: number };
  /** Whether a 304 counts like any other request. Not published. Default `true`. */
  readonly countNotModified: boolean;
}

export const SECONDARY_DEFAULTS: SecondaryLimitOptions = {
  concurrency: 100,
  pointsPerEndpointPerMinute: 900,
  by: "template",
  graphqlPointsPerMinute: 2_000,
  cpuMsPerMinute: 90_000,
  graphqlCpuMsPerMinute: 60_000,
  contentPerMinute: 80,
  contentPerHour: 500,
  tokensPerHour: 2_000,
  headerProfile: "bare",
  recoveryMs: [30_000, 65_000],
  growingPenalty: false,
  countNotModified: true,
};
