import type { ShareMode } from "../../../../src/policy/share.js";
import type { PoolUpdate } from "../../../../src/pool/pool-update.js";
import { createPoolClient } from "../../../../src/sim/fleet/quota/pool-client.js";
import { runQuotaFleet } from "../../../../src/sim/fleet/quota/run-quota-fleet.js";
import { fleetOf, type QuotaScenario, type QuotaShape } from "../../../../src/sim/fleet/quota/scenario.js";
import type { QuotaReport } from "../../../../src/sim/fleet/quota/tally.js";

export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

/** Several runs of one fleet, as one figure each. */
export interface Figures {
  /** Used units as a share (0-1) of the limit, over all windows: mean and worst. */
  readonly used: number;
  readonly worst: number;
  /** Requests refused per window, on average, as a share (0-1) of the limit. */
  readonly refused: number;
  readonly operationsPerRequest: number;
  /** Of P0's calls, answered; and how long all but one in a hundred took at most. */
  readonly urgentAnswered: number;
  readonly urgentP99Ms: number;
}

export function run(
  scenario: QuotaScenario,
  mode: ShareMode = "lend",
  watch?: (update: PoolUpdate) => void,
): QuotaReport {
  return runQuotaFleet(scenario, (world) => createPoolClient(world, mode, watch));
}

export function measure(
  shape: Omit<QuotaShape, "seed">,
  seeds: readonly number[],
  change: Partial<QuotaScenario> = {},
): Figures {
  return figuresOf(seeds.map((seed) => run({ ...fleetOf({ ...shape, seed }), ...change })));
}

export function figuresOf(reports: readonly QuotaReport[]): Figures {
  const windows = reports.flatMap((report) => report.windows);
  const used = windows.map((window) => window.used / window.limit);
  const sum = (of: (report: QuotaReport) => number): number => reports.reduce((total, report) => total + of(report), 0);
  return {
    used: used.reduce((total, share) => total + share, 0) / used.length,
    worst: Math.min(...used),
    refused: windows.reduce((total, window) => total + window.refused / window.limit, 0) / windows.length,
    operationsPerRequest: sum((report) => report.storeOperations) / sum((report) => report.sent),
    urgentAnswered: sum((report) => report.classes[0].answered) / sum((report) => report.classes[0].arrived),
    urgentP99Ms: sum((report) => report.classes[0].p99Ms) / reports.length,
  };
}
