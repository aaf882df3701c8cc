import { DEFAULT_LANE_SPACING } from "../policy/pacing.js";
import { GITHUB_SECONDARY_LIMITS } from "../policy/secondary.js";
import { checkBoolean, checkInteger, checkSwitch, optionError } from "./check.js";
import { checkLabel } from "./check-name.js";
import type { GraphqlOptions, PacingOptions, RetryOptions, SecondaryOptions } from "./limit-types.js";
import type {
  ResolvedGraphqlOptions,
  ResolvedPacingOptions,
  ResolvedRetryOptions,
  ResolvedSecondaryOptions,
} from "./resolved.js";

export const RETRY_KEYS: readonly (keyof RetryOptions)[] = ["limit"];
export const GRAPHQL_KEYS: readonly (keyof GraphqlOptions)[] = ["capture"];
export const PACING_KEYS: readonly (keyof PacingOptions)[] = ["writeMs", "notificationMs", "searchMs"];
export const SECONDARY_KEYS: readonly (keyof SecondaryOptions)[] = [
  "concurrent",
  "pointsPerMinute",
  "graphqlPointsPerMinute",
  "contentPerMinute",
  "contentPerHour",
  "responseMsPerMinute",
  "graphqlResponseMsPerMinute",
];

export const MAX_RETRIES = 10;
/** More than GitHub gives to anybody; a slip of the unit is larger. */
const MOST = 10_000_000;
const MAX_DEPENDENCIES = 100;

export function resolveRetry(retry: unknown): ResolvedRetryOptions | false {
  if (retry === false) return false;
  const given = checkSwitch("squad.retry", retry, RETRY_KEYS);
  const bounds = { min: 0, max: MAX_RETRIES, unit: "retries" };
  return Object.freeze({ limit: checkInteger("squad.retry.limit", given.limit, bounds, 3) });
}

export function resolveSecondary(secondary: unknown): ResolvedSecondaryOptions | false {
  if (secondary === false) return false;
  const given = checkSwitch("squad.secondary", secondary, SECONDARY_KEYS);
  const check = (key: keyof SecondaryOptions, min: number, unit: string): number =>
    checkInteger(`squad.secondary.${key}`, given[key], { min, max: MOST, unit }, GITHUB_SECONDARY_LIMITS[key]);
  return Object.freeze({
    concurrent: check("concurrent", 1, "requests"),
    // One write has five points.
    pointsPerMinute: check("pointsPerMinute", 5, "points"),
    graphqlPointsPerMinute: check("graphqlPointsPerMinute", 5, "points"),
    contentPerMinute: check("contentPerMinute", 1, "requests"),
    contentPerHour: check("contentPerHour", 1, "requests"),
    responseMsPerMinute: check("responseMsPerMinute", 1_000, "milliseconds"),
    graphqlResponseMsPerMinute: check("graphqlResponseMsPerMinute", 1_000, "milliseconds"),
  });
}

export function resolveGraphql(graphql: unknown): ResolvedGraphqlOptions | false {
  if (graphql === false) return false;
  const given = checkSwitch("squad.graphql", graphql, GRAPHQL_KEYS);
  return Object.freeze({ capture: checkBoolean("squad.graphql.capture", given.capture, true) });
}

export function resolvePacing(pacing: unknown): ResolvedPacingOptions | false {
  if (pacing === false) return false;
  const given = checkSwitch("squad.pacing", pacing, PACING_KEYS);
  const bounds = { min: 0, max: 60_000, unit: "milliseconds" };
  return Object.freeze({
    writeMs: checkInteger("squad.pacing.writeMs", given.writeMs, bounds, DEFAULT_LANE_SPACING.writeMs),
    notificationMs: checkInteger(
      "squad.pacing.notificationMs",
      given.notificationMs,
      bounds,
      DEFAULT_LANE_SPACING.notificationMs,
    ),
    searchMs: checkInteger("squad.pacing.searchMs", given.searchMs, bounds, DEFAULT_LANE_SPACING.searchMs),
  });
}

/** Names of agents, each once. */
export function resolveDependsOn(dependsOn: unknown): readonly string[] {
  if (dependsOn === undefined) return Object.freeze([]);
  if (!Array.isArray(dependsOn) || dependsOn.length > MAX_DEPENDENCIES) {
    throw optionError("squad.dependsOn", `a list of at most ${MAX_DEPENDENCIES} names of agents`, dependsOn);
  }
  const names = Array.from(dependsOn, (name: unknown, index) => {
    const path = `squad.dependsOn[${index}]`;
    if (name === undefined) throw optionError(path, "the name of an agent", name);
    return checkLabel(path, name, undefined) as string;
  });
  return Object.freeze([...new Set(names)]);
}
