import type { FleetReport } from "../../src/sim/fleet/report.js";

/** What a fleet comes to that calls more than its quota allows. */
export interface CallFigures {
  readonly made: number;
  /** Of calls that were made, 0 to 1. */
  readonly answered: number;
  readonly answeredByPriority: readonly number[];
  /** How long answered calls took, waits included. */
  readonly p99Ms: readonly number[];
  readonly requests: number;
  /** Of the core quota, mean of the whole windows: charged and hidden units, 0 to 1 and beyond. */
  readonly used: number | undefined;
  readonly refusedPrimary: number;
  /** Primary refusals a window, as a share of its limit. */
  readonly refusedShare: number | undefined;
  readonly refusedSecondary: number;
  readonly sentWhileBlocked: number;
  /** Less urgent calls that overtook more urgent ones, by how long these had waited. */
  readonly overtaken: FleetReport["inversions"]["byWait"];
  /** What the squads' pool granted, and against its own order; of clients without one nothing. */
  readonly pool: FleetReport["inversions"]["pool"];
  readonly storePerRequest: number;
}

export function callFigures({ exchanges, calls, windows, measuredTo, inversions, store }: FleetReport): CallFigures {
  // One that has hardly begun when the run ends says nothing.
  const whole = windows.filter(({ resource, resetAt }) => resource === "core" && resetAt <= measuredTo + 300_000);
  const mean = (of: (window: (typeof whole)[number]) => number): number | undefined =>
    whole.length === 0 ? undefined : whole.reduce((sum, window) => sum + of(window), 0) / whole.length;
  return {
    made: calls.all.made,
    answered: calls.all.answered / calls.all.made,
    answeredByPriority: calls.byPriority.map(({ answered, made }) => answered / made),
    p99Ms: calls.byPriority.map(({ took }) => took.p99Ms),
    requests: exchanges.count,
    used: mean(({ used, limit }) => Math.min(used, limit) / limit),
    refusedPrimary: exchanges.refused.primary,
    refusedShare: mean(({ refused, limit }) => refused / limit),
    refusedSecondary: exchanges.refused.secondary,
    sentWhileBlocked: exchanges.refused.sentWhileBlocked,
    overtaken: inversions.byWait,
    pool: inversions.pool,
    storePerRequest: store.perExchange,
  };
}
