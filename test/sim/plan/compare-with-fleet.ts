import {
  type FleetClientFactory,
  type FleetReport,
  type FleetScenario,
  type Plan,
  plan,
  runFleet,
} from "../../../src/sim/index.js";
import type { PlanScenario } from "../../../src/sim/plan/scenario.js";

/** A plan, and what became of the same fleet in a simulation. */
export interface Comparison {
  readonly planned: Plan;
  readonly report: FleetReport;
  /** Planned by simulated: requests and seconds of answers a minute, units an hour. 1 is as planned. */
  readonly requests: number;
  readonly answerTime: number;
  readonly units: (resource: "core" | "graphql") => number;
  /** Of limits that were worth telling at their fullest: planned peak by simulated peak. */
  readonly peaks: Readonly<Record<string, number>>;
  /** From the beginning of a poll to the next, by what was asked. */
  readonly cycle: number;
}

/** Below this a few requests more or less say nothing. */
const WORTH_TELLING = 0.1;

/** Plans a fleet and runs it. `way`: how the client goes about it. */
export async function compareWithFleet(
  scenario: FleetScenario,
  client: FleetClientFactory,
  way: Pick<PlanScenario, "client" | "polls"> = {},
): Promise<Comparison> {
  const planned = plan({ ...scenario, ...way });
  const report = await runFleet(scenario, client);
  const { exchanges, polls, limits } = report;
  const told = limits.filter(({ limit, share }) => share >= WORTH_TELLING && limit !== "concurrency");
  return {
    planned,
    report,
    requests: planned.cost.requestsPerMinute / exchanges.perMinute,
    answerTime: planned.cost.answerMsPerMinute / (exchanges.perMinute * exchanges.answers.meanMs),
    units: (resource) => planned.cost.unitsPerHour[resource] / (exchanges.unitsPerHour[resource] ?? 0),
    peaks: Object.fromEntries(
      told.map(({ limit, used }) => [limit, (planned.limits.find((one) => one.limit === limit)?.peak ?? 0) / used]),
    ),
    cycle: polls.cycle.meanMs / polls.targetMs,
  };
}
