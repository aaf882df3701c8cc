import type { FleetLimit } from "../../src/sim/fleet/report.js";

/** 1,234 */
export function count(value: number): string {
  return Number.isNaN(value) ? "-" : Math.round(value).toLocaleString("en-US");
}

/** 12.3 % */
export function percent(share: number | undefined, digits = 1): string {
  return share === undefined || Number.isNaN(share) ? "-" : `${(100 * share).toFixed(digits)} %`;
}

/** 1.05× */
export function times(factor: number): string {
  return Number.isNaN(factor) ? "-" : `${factor.toFixed(2)}×`;
}

/** 1.23 s */
export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}

/** The limit that is nearest, and how full it was. */
export function limitName(limit: FleetLimit | undefined): string {
  return limit === undefined ? "-" : `${limit.limit} ${percent(limit.share, 0)}`;
}
