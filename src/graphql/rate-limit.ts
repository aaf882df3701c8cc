/** What GitHub's `rateLimit` said of a query that it ran. */
export interface RateLimitTold {
  /** Units that this query cost. */
  readonly cost: number;
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  readonly used: number | undefined;
  /** Epoch milliseconds. */
  readonly resetAt: number | undefined;
  readonly nodeCount: number | undefined;
}
