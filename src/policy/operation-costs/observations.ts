import { MAX_COST_UNITS, type OperationCost } from "./cost.js";

/** What a new observation weighs against all that came before it. */
const WEIGHT = 0.3;

/**
 * Calls of one operation, one after the other, as what they make of whatever was known before them. So those that one
 * process has seen can be laid upon what all others have seen meanwhile, and the result is that of having seen each.
 */
export interface CostObservations {
  readonly firstUnits: number;
  readonly lastUnits: number;
  /** What of the mean before them is left in the mean after them, 0 to 1. */
  readonly kept: number;
  /** What they add to that, in units. */
  readonly addedUnits: number;
  readonly count: number;
  /** When the last one was answered, epoch milliseconds on GitHub's clock. */
  readonly seenAt: number;
}

/** One call that was charged `units`; `undefined` when that cannot be. `now` is GitHub's time. */
export function observeCost(units: number, now: number): CostObservations | undefined {
  if (!(units >= 0 && units <= MAX_COST_UNITS)) return undefined;
  return {
    firstUnits: units,
    lastUnits: units,
    kept: 1 - WEIGHT,
    addedUnits: WEIGHT * units,
    count: 1,
    seenAt: now,
  };
}

/**
 * What is known of an operation after these observations; the first one of all counts fully. The cost of a query follows
 * from its text and the sizes that it asks for, so what was charged twice in a row is the cost, whatever came before.
 *
 * @see https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 */
export function applyObservations(known: OperationCost | undefined, next: CostObservations): OperationCost {
  // Where the first one counts fully, the mean before it might have been that already.
  const before = known === undefined || known.lastUnits === next.firstUnits ? next.firstUnits : known.units;
  return {
    units: rounded(meanAfter(before, next)),
    lastUnits: next.lastUnits,
    count: Math.min(Number.MAX_SAFE_INTEGER, (known?.count ?? 0) + next.count),
    seenAt: Math.max(known?.seenAt ?? 0, next.seenAt),
  };
}

/** Both as one: first `earlier`, then `later`. */
export function followedBy(earlier: CostObservations, later: CostObservations): CostObservations {
  const isRepeat = earlier.lastUnits === later.firstUnits;
  return {
    firstUnits: earlier.firstUnits,
    lastUnits: later.lastUnits,
    kept: isRepeat ? 0 : earlier.kept * later.kept,
    addedUnits: meanAfter(isRepeat ? later.firstUnits : earlier.addedUnits, later),
    count: earlier.count + later.count,
    seenAt: Math.max(earlier.seenAt, later.seenAt),
  };
}

function meanAfter(mean: number, { kept, addedUnits }: CostObservations): number {
  return kept * mean + addedUnits;
}

/** What should be a whole number is one again, also where it is written down. */
function rounded(units: number): number {
  return Math.round(units * 1e6) / 1e6;
}
