import { GITHUB_LIMITS, type ResourceName } from "../github/resource.js";
import type { SecondaryPeak } from "../github/secondary-peaks.js";
import type { SimulatedGitHub } from "../github/surface.js";
import { fullestLimits } from "./limits.js";
import type { FleetExchanges, FleetReport, FleetWindow } from "./report.js";
import type { FleetScenario } from "./scenario.js";
import type { FleetTokens } from "./tokens.js";

const HOUR_MS = 3_600_000;

/** What was counted by others. */
export interface Counted {
  readonly exchanges: FleetExchanges;
  readonly peaks: readonly SecondaryPeak[];
  readonly scenario: FleetScenario;
}

/** The windows of a fleet's identity, and the limits that it came nearest to. */
export function windowFigures(
  github: SimulatedGitHub,
  { principal, current }: FleetTokens,
  { exchanges, peaks, scenario }: Counted,
): Pick<FleetReport, "windows" | "limits"> {
  const limitOf = (resource: ResourceName): number => github.usage(current(), resource).limit;
  const windows = github.ledger(principal).map(
    ({ resource, resetAt, chargedUnits, hiddenUnits, refusedByPrimary }): FleetWindow => ({
      resource,
      resetAt,
      limit: limitOf(resource),
      used: chargedUnits + hiddenUnits,
      charged: chargedUnits,
      hidden: hiddenUnits,
      refused: refusedByPrimary,
    }),
  );
  const resources = [...new Set(windows.map(({ resource }) => resource))];
  const paces = resources.map((resource) => {
    const windowMs = scenario.github?.limits?.[resource]?.windowMs ?? GITHUB_LIMITS[resource].windowMs;
    const hidden = (scenario.hidden ?? []).filter((use) => use.resource === resource);
    const perHour = hidden.reduce((sum, { unitsPerHour }) => sum + unitsPerHour, exchanges.unitsPerHour[resource] ?? 0);
    return { resource, unitsPerWindow: (perHour * windowMs) / HOUR_MS, limit: limitOf(resource) };
  });
  return { windows, limits: fullestLimits(peaks, windows, paces) };
}
