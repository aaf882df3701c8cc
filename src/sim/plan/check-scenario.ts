import { checkRecord, optionError, requireChoice } from "../../options/check.js";
import type { ResourceName } from "../github/resource.js";
import { RESOURCE_NAMES } from "../github/resource.js";
import { checkAgents } from "./check-agents.js";
import { checkAmount, requireAmount } from "./check-amount.js";
import { checkAssumptions } from "./check-assumptions.js";
import { checkGitHub } from "./check-github.js";
import type { CheckedChanges, CheckedScenario } from "./checked-scenario.js";
import type { PlanScenario } from "./scenario.js";

/** A record, so that the compiler misses none. */
const KEYS: Readonly<Record<keyof PlanScenario, true>> = {
  agents: true,
  client: true,
  polls: true,
  credential: true,
  assume: true,
  processes: true,
  github: true,
  hidden: true,
  changes: true,
  seed: true,
  warmUpMs: true,
  forMs: true,
  mishaps: true,
  clockSkewMs: true,
  tokenRotationMs: true,
  faults: true,
  storeLatencyMs: true,
};

const REQUIRED = 'Say who the agents are: agents: [{ count: 10, work: { kind: "watch" } }].';

/** Checks a scenario by name, bound and value, and fills in its defaults; throws a `SquadRateError` otherwise. */
export function checkScenario(given: PlanScenario): CheckedScenario {
  const scenario = checkRecord("plan", given, Object.keys(KEYS));
  const { agents } = scenario;
  if (!Array.isArray(agents)) throw optionError("plan.agents", "an array of agents", agents, REQUIRED);
  const client = requireChoice("plan.client", scenario.client ?? "squadRate", ["squadRate", "plain"] as const);
  const processes = checkAmount(
    "plan.processes",
    scenario.processes,
    { min: 1, max: 10_000, unit: "processes", whole: true },
    1,
  );
  const github = checkGitHub(scenario.github, scenario.credential);
  const conditional = client === "squadRate";
  const dividesLimits = conditional && processes > 1;
  const polls = requireChoice("plan.polls", scenario.polls ?? "repository", [
    "agent",
    "repository",
    "together",
  ] as const);
  const assume = checkAssumptions(scenario.assume, github.latency, dividesLimits);
  return {
    agents: agents.map((group: unknown, index) => checkAgents(`plan.agents[${index}]`, group, assume.busiestEndpoint)),
    client,
    conditional,
    dividesLimits,
    // Whoever asks for everything does so for itself.
    polls: conditional ? polls : "agent",
    processes,
    changes: checkChanges(scenario.changes),
    hidden: checkHidden(scenario.hidden),
    quotas: github.quotas,
    secondary: github.secondary,
    assume,
    answerSpread: github.latency === false ? 0 : Math.expm1(github.latency.sigma ** 2),
  };
}

function checkChanges(given: unknown): CheckedChanges {
  if (given === undefined) return { kind: "rate", perHour: 0 };
  const path = "plan.changes";
  const changes = checkRecord(path, given, ["kind", "sharePerPoll", "perHour"]);
  const kind = requireChoice(`${path}.kind`, changes.kind, ["share", "rate"] as const);
  if (kind === "rate") {
    return { kind, perHour: requireAmount(`${path}.perHour`, changes.perHour, { unit: "changes" }) };
  }
  const sharePerPoll = requireAmount(`${path}.sharePerPoll`, changes.sharePerPoll, {
    max: 1,
    unit: "changes a session and poll",
  });
  return { kind, sharePerPoll };
}

function checkHidden(given: unknown): Readonly<Partial<Record<ResourceName, number>>> {
  if (given === undefined) return {};
  if (!Array.isArray(given)) throw optionError("plan.hidden", "an array of { resource, unitsPerHour }", given);
  const hidden: Partial<Record<ResourceName, number>> = {};
  for (const [index, one] of given.entries()) {
    const path = `plan.hidden[${index}]`;
    const { resource, unitsPerHour } = checkRecord(path, one, ["resource", "unitsPerHour"]);
    const name = requireChoice(`${path}.resource`, resource, RESOURCE_NAMES);
    const units = requireAmount(`${path}.unitsPerHour`, unitsPerHour, { unit: "units" });
    hidden[name] = (hidden[name] ?? 0) + units;
  }
  return hidden;
}
