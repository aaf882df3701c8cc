/**
 * How calls that failed are tried again. Reads and GraphQL queries are, after a server's or the network's failure; anything
 * that a limit refused is, because GitHub did nothing of it.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#handle-rate-limit-errors-appropriately
 */
export interface RetryOptions {
  /**
   * How often one call is tried again at most, from 0 to 10. Octokit's own `request: { retries }` says it for one call.
   * @defaultValue 3
   */
  readonly limit?: number | undefined;
}

/**
 * What is found out about the cost of GraphQL queries.
 *
 * @see https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 */
export interface GraphqlOptions {
  /**
   * Each query asks for its own cost as well: `rateLimit` is added to what is sent and cut out of the answer, which reaches
   * the caller as if it had never been there. `false` sends queries as they are; what they cost is then told by the rate
   * headers, as far as these can tell.
   * @defaultValue true
   */
  readonly capture?: boolean | undefined;
}

/**
 * What is believed of GitHub's secondary limits, which it does not report. With a pool they are shared by all its
 * processes. After a refusal that they do not explain they are tightened for a while.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
 */
export interface SecondaryOptions {
  /**
   * Requests in flight at once, REST and GraphQL together.
   * @defaultValue 100
   */
  readonly concurrent?: number | undefined;
  /**
   * Points a minute for one REST endpoint: 1 for a read, 5 for a write.
   * @defaultValue 900
   */
  readonly pointsPerMinute?: number | undefined;
  /**
   * Points a minute for GraphQL: 1 for a query, 5 for a mutation.
   * @defaultValue 2,000
   */
  readonly graphqlPointsPerMinute?: number | undefined;
  /**
   * Requests that create content, a minute.
   * @defaultValue 80
   */
  readonly contentPerMinute?: number | undefined;
  /**
   * Requests that create content, an hour.
   * @defaultValue 500
   */
  readonly contentPerHour?: number | undefined;
  /**
   * Milliseconds in which GitHub was answering, a minute; several answers at once add up.
   * @defaultValue 90,000
   */
  readonly responseMsPerMinute?: number | undefined;
  /**
   * Of these, milliseconds for GraphQL.
   * @defaultValue 60,000
   */
  readonly graphqlResponseMsPerMinute?: number | undefined;
}

/**
 * How far apart requests of one process are sent where GitHub asks for a pause, in milliseconds from 0 to 60,000. More
 * urgent calls go first.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#pause-between-mutative-requests
 */
export interface PacingOptions {
  /**
   * Between writes, GraphQL mutations among them.
   * @defaultValue 1,000
   */
  readonly writeMs?: number | undefined;
  /**
   * Between writes that notify people.
   * @defaultValue 3,000
   */
  readonly notificationMs?: number | undefined;
  /**
   * Between searches.
   * @defaultValue 2,000
   */
  readonly searchMs?: number | undefined;
}
