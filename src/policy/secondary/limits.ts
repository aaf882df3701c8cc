/** What GitHub lets one principal do within a minute or an hour, whatever is left of its primary quota. */
export interface SecondaryLimits {
  /** Requests under way at once, REST and GraphQL together. */
  readonly concurrent: number;
  /** Points per minute of one REST endpoint: a host, a method and a route template. A read is 1 point, a write 5. */
  readonly pointsPerMinute: number;
  /** Points per minute of GraphQL: a query is 1 point, a mutation 5. */
  readonly graphqlPointsPerMinute: number;
  /** Requests per minute that create content. */
  readonly contentPerMinute: number;
  /** Requests per hour that create content. */
  readonly contentPerHour: number;
  /** Milliseconds of response time per minute, REST and GraphQL together. GitHub counts CPU time, and says that this is near it. */
  readonly responseMsPerMinute: number;
  /** Milliseconds of response time per minute of GraphQL alone. */
  readonly graphqlResponseMsPerMinute: number;
}

/**
 * The numbers that GitHub publishes.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
 */
export const GITHUB_SECONDARY_LIMITS: SecondaryLimits = Object.freeze({
  concurrent: 100,
  pointsPerMinute: 900,
  graphqlPointsPerMinute: 2_000,
  contentPerMinute: 80,
  contentPerHour: 500,
  responseMsPerMinute: 90_000,
  graphqlResponseMsPerMinute: 60_000,
});

/** Which secondary limit a word is about. */
export type SecondaryLimitName =
  | "concurrent"
  | "points"
  | "graphql-points"
  | "content-minute"
  | "content-hour"
  | "response-time"
  | "graphql-response-time";
