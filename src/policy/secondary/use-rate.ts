import type { MinuteUse } from "./fleet-use.js";
import { meanUse } from "./parts.js";

/** How fast a process uses the limits, measured from time to time. Times are monotonic milliseconds. */
export interface UseRate {
  /** When it was measured last, or began. */
  readonly since: number;
  /** What had been used by then, ever. */
  readonly total: MinuteUse;
  /** Undefined until it has been measured. */
  readonly perMinute: MinuteUse | undefined;
  /** What the others were told last. */
  readonly told: MinuteUse;
}

/** What is done every half minute is not to be taken for twice as much because it was done at both ends. */
const SHORTEST_MS = 45_000;
/** Chance is evened out a little; what changes for good is told by the second report. */
const STEADY_MS = 60_000;
const MINUTE_MS = 60_000;

/**
 * The rate with what was used since; `total` is all that was ever used. Measured over the greater part of a minute at least.
 * Who was held back (`isHeld`) would have used more, and must not be left less for it: its rate does not fall.
 */
export function measureUse(rate: UseRate, total: MinuteUse, isHeld: boolean, now: number): UseRate {
  const { since, total: before, perMinute, told } = rate;
  const ms = now - since;
  if (!(ms >= SHORTEST_MS)) return rate;
  const weight = 1 - Math.exp(-ms / STEADY_MS);
  const measured = eachUse((of) => {
    const latest = (Math.max(0, total[of] - before[of]) / ms) * MINUTE_MS;
    if (perMinute === undefined) return isHeld ? Math.max(latest, told[of]) : latest;
    const next = perMinute[of] + weight * (latest - perMinute[of]);
    return isHeld ? Math.max(next, perMinute[of]) : next;
  });
  return { since: now, total, perMinute: measured, told: measured };
}

/**
 * What to tell the others. A newcomer is taken for one like them until it has been measured: told that it has used nothing
 * yet, they would leave it nothing.
 */
export function toldUse(
  { total: before, perMinute }: UseRate,
  total: MinuteUse,
  others: readonly MinuteUse[],
): MinuteUse {
  if (perMinute !== undefined) return perMinute;
  const mean = meanUse(others);
  return eachUse((of) => Math.max(total[of] - before[of], mean[of]));
}

function eachUse(value: (of: keyof MinuteUse) => number): MinuteUse {
  return {
    requests: value("requests"),
    restPoints: value("restPoints"),
    graphqlPoints: value("graphqlPoints"),
    restMs: value("restMs"),
    graphqlMs: value("graphqlMs"),
  };
}
