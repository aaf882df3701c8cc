/** By how much GitHub's count of a window rose from one answer to a later one. */
export interface CountRise {
  readonly units: number;
  /** Whether one exchange alone can have done it, as far as anybody here knows. */
  readonly isOwn: boolean;
}

/** What is known of the cost of one GraphQL exchange that was answered. */
export interface ChargeQuestion {
  /** What the answer itself said. */
  readonly told: number | undefined;
  /** It only asked what it would cost. */
  readonly isDryRun: boolean;
  /** GitHub turned it down before it ran. */
  readonly isRefused: boolean;
  /** What it was expected to cost. */
  readonly expectedUnits: number;
  /** Undefined when the headers tell nothing of it. */
  readonly rise: CountRise | undefined;
}

/** A refusal costs as much as a request, whatever it asked for. */
const REFUSAL_UNITS = 1;

/**
 * Units that a GraphQL exchange was charged: what it said itself; else by how much the count rose, if that was its doing
 * alone; else what was expected, which cannot be more than the count rose by.
 *
 * @see https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api#returning-the-point-value-of-a-query
 *
 * @example
 * ```ts
 * const rise = { units: 30, isOwn: false }; // others spend of this quota too
 * chargeOf({ told: undefined, isDryRun: false, isRefused: false, expectedUnits: 18, rise }); // 18
 * ```
 */
export function chargeOf({ told, isDryRun, isRefused, expectedUnits, rise }: ChargeQuestion): number {
  if (told !== undefined && !isDryRun) return told;
  if (rise?.isOwn === true) return rise.units;
  // Where nothing is told of what it would cost, it was turned down.
  const isFree = isDryRun && told !== undefined;
  const expected = isFree ? 0 : isDryRun || isRefused ? REFUSAL_UNITS : expectedUnits;
  return rise === undefined ? expected : Math.min(expected, rise.units);
}
