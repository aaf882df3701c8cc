import type { SecondaryLimits } from "./limits.js";
import type { SecondaryCall, SecondaryScope } from "./scope.js";
import type { Shortage } from "./shortage.js";

/** A shortage in words, with its numbers: what is used, of how much, and how that comes from GitHub's limit. */
export function explainShortage(shortage: Shortage, call: SecondaryCall, scope: SecondaryScope): string {
  const { limits, factor } = scope;
  const tightened =
    factor < 1
      ? `; limits are held to ${percent(factor)} because GitHub refused a request that its published limits allow`
      : "";
  return `${used(shortage, call, limits)}${tightened}`;
}

function used({ limit, used, most }: Shortage, call: SecondaryCall, limits: SecondaryLimits): string {
  switch (limit) {
    case "concurrent":
      return of(used, most, limits.concurrent, "requests at once", "are under way");
    case "points":
      return `${call.endpoint}: ${points(used, most, limits.pointsPerMinute, call.points)}`;
    case "graphql-points":
      return `GraphQL: ${points(used, most, limits.graphqlPointsPerMinute, call.points)}`;
    case "content-minute":
      return of(used, most, limits.contentPerMinute, "content writes in the last minute", "are made");
    case "content-hour":
      return of(used, most, limits.contentPerHour, "content writes in the last hour", "are made");
    case "response-time":
      return seconds("", used, most, limits.responseMsPerMinute);
    case "graphql-response-time":
      return seconds("GraphQL: ", used, most, limits.graphqlResponseMsPerMinute);
  }
}

function points(used: number, most: number, fleet: number, cost: number): string {
  return `${of(used, most, fleet, "points in the last minute", "are used")}, and the call costs ${cost}`;
}

function seconds(api: string, usedMs: number, mostMs: number, fleetMs: number): string {
  const what = "seconds of response time in the last minute";
  return `${api}${of(tenths(usedMs), tenths(mostMs), tenths(fleetMs), what, "are used")}`;
}

function of(used: number, most: number, fleet: number, what: string, is: string): string {
  return most === fleet
    ? `${used} of ${most} ${what} ${is}`
    : `${used} of this process's ${most} ${what} ${is} (${fleet} for the whole fleet)`;
}

function tenths(ms: number): number {
  return Math.ceil(ms / 100) / 10;
}

function percent(part: number): string {
  return `${Math.max(1, Math.floor(100 * part))} %`;
}
