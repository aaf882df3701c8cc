import type { CheckedScenario, PlannedResource } from "./checked-scenario.js";
import type { Demand } from "./demand.js";
import type { LimitUse } from "./limits.js";
import { amount, counted, listed, percent, seconds } from "./words.js";

const MINUTES = 60;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** What is used of a limit, and how that comes, as a clause that follows "50 agents …:". */
export function explainLimit(scenario: CheckedScenario, demand: Demand, use: LimitUse): string {
  return `${clause(scenario, demand, use)} (${percent(use.share)})`;
}

function clause(scenario: CheckedScenario, demand: Demand, { limit, used, allowed }: LimitUse): string {
  const { assume } = scenario;
  switch (limit) {
    case "core-units":
    case "search-units":
    case "graphql-units":
      return units(scenario, limit.slice(0, -"-units".length) as PlannedResource, used, allowed);
    case "concurrency":
      return `in the mean ${amount(used)} of the ${amount(allowed)} requests that may be under way at once`;
    case "endpoint-points":
      return `${amount(used)} of the ${amount(allowed)} points a minute that GitHub allows for one REST endpoint`;
    case "graphql-points":
      return `${amount(used)} of the ${amount(allowed)} points a minute that GitHub allows for GraphQL`;
    case "response-time": {
      const rest = requests(demand.rest.mean, "REST request", assume.restAnswerMs);
      const graphql = requests(demand.graphql.mean, "GraphQL query", assume.graphqlAnswerMs, "GraphQL queries");
      const all = listed([...rest, ...graphql]) || "nothing";
      return `${all} are ${seconds(used)} s of the ${seconds(allowed)} s of answers a minute that GitHub allows`;
    }
    case "graphql-response-time": {
      const all =
        requests(demand.graphql.mean, "GraphQL query", assume.graphqlAnswerMs, "GraphQL queries")[0] ?? "no query";
      return `${all} are ${seconds(used)} s of the ${seconds(allowed)} s of answers a minute that GitHub allows for GraphQL`;
    }
    case "content-per-minute":
      return `${amount(used)} of the ${amount(allowed)} writes a minute that may create content`;
    case "content-per-hour":
      return `${amount(used)} of the ${amount(allowed)} writes an hour that may create content`;
    case "write-pace": {
      const pauses = seconds((used * 1_000) / MINUTES);
      const writes = counted(demand.writes / MINUTES, "write");
      return `the pauses after ${writes} a minute take ${pauses} s of the ${seconds((allowed * 1_000) / MINUTES)} s that ${counted(scenario.processes, "process has", "processes have")} for them`;
    }
    case "poll-time":
      return `the longest poll, one request after the other, takes so much of the time until the next`;
  }
}

function units({ hidden, quotas }: CheckedScenario, resource: PlannedResource, used: number, allowed: number): string {
  const { windowMs } = quotas[resource];
  const others = ((hidden[resource] ?? 0) * windowMs) / HOUR_MS;
  const ofOthers = others > 0 ? `, ${amount(others)} of them spent by others` : "";
  return `${amount(used)} of the ${amount(allowed)} units of ${resource} ${window(windowMs)}${ofOthers}`;
}

function window(ms: number): string {
  if (ms === HOUR_MS) return "an hour";
  return ms === MINUTE_MS ? "a minute" : `in ${seconds(ms)} s`;
}

function requests(perHour: number, one: string, ms: number, many?: string): readonly string[] {
  if (perHour === 0) return [];
  return [`${counted(perHour / MINUTES, one, many)} a minute at ${seconds(ms)} s each`];
}
