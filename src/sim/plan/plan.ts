import { capacityOf, cycleOf } from "./capacity.js";
import { checkScenario } from "./check-scenario.js";
import type { CheckedScenario } from "./checked-scenario.js";
import { classesOf } from "./class-demand.js";
import type { Demand } from "./demand.js";
import { explainLimit } from "./explain-limit.js";
import { explainPlan } from "./explain-plan.js";
import { fleetDemand } from "./fleet-demand.js";
import { limitUses } from "./limits.js";
import type { Plan, PlanCost, PlanLimit } from "./plan-result.js";
import type { PlanScenario } from "./scenario.js";
import { startUnits } from "./start-units.js";

/**
 * Says how many such agents a token carries, what the fleet costs, and which limit binds: by a model of GitHub's limits and
 * of what agents ask, without a simulation. docs/capacity.md has its formulas, and how near it comes to simulated fleets.
 *
 * @throws SquadRateError with the code `SQUAD_RATE_OPTIONS` if the scenario is not what it should be; the message names the
 * key, the bound and the value.
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 *
 * @example
 * ```ts
 * const { carries, binding, explain } = plan({ agents: [{ count: 50, work: { kind: "watch" } }] });
 * console.log(carries, binding.limit); // 60 response-time
 * console.log(explain.join("\n"));
 * ```
 */
export function plan(scenario: PlanScenario): Plan {
  const checked = checkScenario(scenario);
  const counts = checked.agents.map(({ count }) => count);
  const agents = counts.reduce((sum, count) => sum + count, 0);
  const demand = fleetDemand(checked, { counts });
  const cost = costOf(checked, demand, counts);
  const limits = limitUses(checked, demand, cost.startUnits).map(
    (use): PlanLimit => ({ ...use, explain: explainLimit(checked, demand, use) }),
  );
  const { carries, stopsAt } = capacityOf(checked, counts);
  const bindsLater = agents === 0 ? limits.find(({ limit }) => limit === stopsAt) : undefined;
  const binding = bindsLater ?? (limits[0] as PlanLimit);
  const cycle = cycleOf(checked, counts);
  const classes = classesOf(checked, counts, binding);
  const facts = { agents, cost, limits, binding, carries, stopsAt, cycle, classes };
  return { ...facts, explain: explainPlan(checked, facts) };
}

const MINUTES = 60;

function costOf(scenario: CheckedScenario, demand: Demand, counts: readonly number[]): PlanCost {
  const { assume } = scenario;
  const { rest, graphql, units, contentWrites } = demand;
  return {
    requestsPerMinute: (rest.mean + graphql.mean) / MINUTES,
    queriesPerMinute: graphql.mean / MINUTES,
    unitsPerHour: units,
    startUnits: startUnits(scenario, counts),
    answerMsPerMinute: (rest.mean * assume.restAnswerMs + graphql.mean * assume.graphqlAnswerMs) / MINUTES,
    contentWritesPerHour: contentWrites.mean,
  };
}
