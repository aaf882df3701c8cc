/** What calls of one GraphQL operation have been charged. */
export interface OperationCost {
  /** Units that the next call is likely to be charged: a mean in which what came last weighs most. */
  readonly units: number;
  /** What the last call was charged. */
  readonly lastUnits: number;
  /** How many calls it was learnt from. */
  readonly count: number;
  /** When the last of them was answered, epoch milliseconds on GitHub's clock. */
  readonly seenAt: number;
}

/** No query that GitHub runs comes near this; whatever says so is a mistake, and is not learnt from. */
export const MAX_COST_UNITS = 1_000_000;

/** What nobody has called for a week is probably not the same any more: programs change, and so do GitHub's rules. */
const FORGET_MS = 7 * 24 * 3_600_000;

/** A mean that comes down to a whole number never quite reaches it, and must not reserve one unit more for that. */
const ROUNDING_UNITS = 0.01;

/** Whether a cost is too old to go by. `now` is GitHub's time. */
export function isForgotten({ seenAt }: OperationCost, now: number): boolean {
  return now - seenAt > FORGET_MS;
}

/**
 * Whole units to reserve for the next call, at least 1; `undefined` when nothing is known of the operation, or nothing
 * since a week. `now` is GitHub's time, epoch milliseconds.
 */
export function expectedUnits(cost: OperationCost | undefined, now: number): number | undefined {
  return cost === undefined || isForgotten(cost, now) ? undefined : wholeUnits(cost);
}

/** Whether who knows `before` would reserve something else by `after`. */
export function isNews(before: OperationCost | undefined, after: OperationCost): boolean {
  return before === undefined || wholeUnits(before) !== wholeUnits(after);
}

function wholeUnits({ units }: OperationCost): number {
  return Math.max(1, Math.ceil(units - ROUNDING_UNITS));
}
