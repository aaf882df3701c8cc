import type { CheckedAgents, CheckedScenario, CheckedWatch, CheckedWorkload } from "./checked-scenario.js";
import type { PlanClass } from "./classes.js";
import { isUnits } from "./limits.js";
import type { Plan } from "./plan-result.js";
import { amount, counted, listed, percent, seconds } from "./words.js";

type Facts = Omit<Plan, "explain">;

/** A plan in words: what is asked, what binds, what is carried, and what happens where it is too much. */
export function explainPlan(scenario: CheckedScenario, facts: Facts): readonly string[] {
  return [
    ...asked(scenario, facts),
    ...carried(scenario, facts),
    ...tooMuch(scenario, facts),
    ...others(facts),
    ...granted(scenario),
  ];
}

function asked({ agents, conditional }: CheckedScenario, { cost, binding }: Facts): readonly string[] {
  const kinds = agents.filter(({ count }) => count > 0);
  if (kinds.length === 0) return ["No agents ask for anything."];
  const count = kinds.reduce((sum, kind) => sum + kind.count, 0);
  const send = count === 1 ? "sends" : "send";
  const through = conditional ? "through squadRate" : "with plain clients";
  const requests = `${amount(cost.requestsPerMinute)} requests a minute`;
  return [`${listed(kinds.map(describe))} ${send} ${requests} ${through}: ${binding.explain}: the binding limit.`];
}

function describe({ count, work }: CheckedAgents): string {
  const agents = counted(count, "agent");
  const does = (one: string, many: string): string => (count === 1 ? one : many);
  if (work.kind === "watch") return `${agents} that ${does("watches", "watch")} a pull request every ${every(work)}`;
  return `${agents} that ${does("makes", "make")} ${counted(callsOf(work), "call")} an hour${does("", " each")}`;
}

function every({ everyMs }: CheckedWatch): string {
  return `${seconds(everyMs)} s`;
}

function callsOf({ readsPerHour, writesPerHour, searchesPerHour, queriesPerHour }: CheckedWorkload): number {
  return readsPerHour + writesPerHour + searchesPerHour + queriesPerHour;
}

function carried({ agents, assume }: CheckedScenario, { carries, stopsAt }: Facts): readonly string[] {
  if (agents.length === 0) return [];
  if (!Number.isFinite(carries)) return ["This token carries any number of them: they use none of its limits."];
  const such = agents.length > 1 ? "such agents in these proportions" : "such agents";
  const within = `within ${percent(assume.safeShare)} of every limit; one more would pass that of ${stopsAt}`;
  return [`This token carries ${amount(carries)} ${such}, ${within}.`];
}

function tooMuch({ conditional }: CheckedScenario, { cycle, binding, classes }: Facts): readonly string[] {
  if (cycle <= 1) return [];
  const over = `That is ${percent(binding.share)} of ${binding.limit}`;
  if (!Number.isFinite(cycle)) return [`${over}, of which others leave nothing: going slower does not help.`];
  if (!conditional) return [`${over}: GitHub refuses what is too much, unless everything goes ${times(cycle)} slower.`];
  const rests = isUnits(binding.limit)
    ? " in the mean: at full pace until none are left, and then not until the reset"
    : "";
  const lines = [`${over}: polls and calls go ${times(cycle)} slower than asked${rests}.`];
  if (classes.length < 2) return lines;
  const rule = isUnits(binding.limit)
    ? "The pool divides it 40 : 35 : 25 among P0, P1 and P2, and lends what a class leaves"
    : "In each process the more urgent go first";
  return [...lines, `${rule}: ${listed(classes.map(served))}.`];
}

function times(cycle: number): string {
  return `${amount(cycle < 10 ? Math.ceil(cycle * 100) / 100 : Math.ceil(cycle))} times`;
}

function served({ priority, gets }: PlanClass): string {
  return gets >= 1 ? `P${priority} gets all it asks for` : `P${priority} ${percent(gets)} of it`;
}

const WORTH_TELLING = 0.1;

function others({ limits, binding }: Facts): readonly string[] {
  const rest = limits.filter((one) => one.limit !== binding.limit && one.share >= WORTH_TELLING);
  return rest.map(({ limit, explain }) => `Then ${limit}: ${explain}.`);
}

function granted({ agents, assume, polls, conditional }: CheckedScenario): readonly string[] {
  if (agents.length === 0) return [];
  const answers = `answers take ${seconds(assume.restAnswerMs)} s (REST) and ${seconds(assume.graphqlAnswerMs)} s (GraphQL)`;
  const watches = agents.some(({ work }) => work.kind === "watch");
  const by = {
    agent: "each agent polls for itself",
    repository: "one polls for all of a repository",
    together: "one polls for all of a process",
  };
  const way = watches && conditional ? [by[polls]] : [];
  return [`Taken for granted: ${listed([answers, ...way])}.`];
}
