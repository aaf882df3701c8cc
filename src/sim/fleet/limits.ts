import type { SecondaryPeak } from "../github/secondary-peaks.js";
import type { FleetLimit, FleetWindow } from "./report.js";

/** How full limits were, the fullest first. `hours`: the length of the measured time. */
export function fullestLimits(
  peaks: readonly SecondaryPeak[],
  windows: readonly FleetWindow[],
  paces: readonly UnitPace[],
): readonly FleetLimit[] {
  const limits: FleetLimit[] = peaks.map(({ limit, endpoint, used, allowed }) => ({
    limit,
    ...(endpoint === undefined ? {} : { endpoint }),
    used,
    allowed,
    share: used / allowed,
  }));
  for (const { resource, unitsPerWindow, limit } of paces) {
    const fullest = windows.filter((window) => window.resource === resource).map(({ used }) => used);
    const used = Math.max(unitsPerWindow, ...fullest);
    limits.push({ limit: `${resource}-units`, used, allowed: limit, share: used / limit });
  }
  return limits.sort((one, other) => other.share - one.share);
}

/** What a whole window of a resource takes at the pace of the measured time, hidden use included. */
export interface UnitPace {
  readonly resource: FleetWindow["resource"];
  readonly unitsPerWindow: number;
  readonly limit: number;
}
