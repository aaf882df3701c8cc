import type { SquadStatus } from "octokit-plugin-squad-rate";
import type { Chronicle } from "./chronicle.js";
import { type Cell, cell, columns, paint, seconds, thousands, wrap } from "./columns.js";
import type { Bill } from "./stage.js";
import { type AgentTally, percentile, type Tally, total } from "./tally.js";

/** One side of the demo, when it is over. */
export interface SideResult {
  readonly tally: Tally;
  readonly bill: Bill;
}

/** Everything that the summary is made of. */
export interface Result {
  readonly seconds: number;
  readonly squad: SideResult;
  readonly status: SquadStatus;
  /** Undefined where no plain client ran beside. */
  readonly plain: SideResult | undefined;
  readonly chronicle: Chronicle;
}

const NOTHING = cell("-", "dim");
/** Sentences are broken here, whatever the terminal. */
const WIDTH = 100;

/** What it came to, beside plain Octokit where that ran, in tables and in words. */
export function renderSummary(result: Result, colours: boolean): readonly string[] {
  const title = (text: string): string => paint(cell(text, "bold"), colours);
  return [
    title(`What ${result.seconds} seconds came to`),
    "",
    ...columns(billRows(result), colours),
    "",
    title("By class"),
    "",
    ...columns(classRows(result), colours),
    "",
    ...explanations(result),
    title("octokit.squad.status(), an excerpt"),
    "",
    ...excerpt(result.status),
    "",
    ...words(result),
    ...failures(result),
  ];
}

function billRows({ squad, plain, status }: Result): readonly (readonly Cell[])[] {
  const outcomes = status.cache?.outcomes;
  const row = (name: string, of: (side: SideResult) => number, onlySquad = false): readonly Cell[] => [
    cell(name),
    count(of(squad)),
    ...(plain === undefined ? [] : [onlySquad ? NOTHING : count(of(plain))]),
  ];
  return [
    [cell(""), cell("with squadRate", "dim"), ...(plain === undefined ? [] : [cell("plain Octokit", "dim")])],
    row("calls answered", ({ tally }) => total(tally, "answered")),
    row("requests sent to GitHub", ({ bill }) => bill.requests),
    row("  answered 304: unchanged, free", ({ bill }) => bill.notModified),
    row("  refused by GitHub", ({ bill }) => bill.refusals),
    row("  writes done", ({ bill }) => bill.writes),
    row("units of quota spent", ({ bill }) => bill.units),
    row("reads shared with another agent's", () => outcomes?.shared ?? 0, true),
    row("calls that waited before they were sent", () => status.counters.waited, true),
    row("calls refused before they were sent", ({ tally }) => total(tally, "refused by the squad"), true),
  ];
}

function count(value: number): Cell {
  return value === 0 ? NOTHING : cell(thousands(value));
}

function classRows({ squad, plain }: Result): readonly (readonly Cell[])[] {
  const heads = ["answered", "refused", "longest silence", "p50", "p95"].map((name) => cell(name, "dim"));
  const rows = [0, 1, 2].flatMap((priority) => {
    const inClass = ({ tally }: SideResult): readonly AgentTally[] =>
      tally.agents.filter((agent) => agent.priority === priority);
    const names = inClass(squad).map(({ agent }) => agent);
    const ours = [cell(`P${priority} ${names.join(", ")}`), cell("squadRate"), ...classCells(inClass(squad))];
    return plain === undefined ? [ours] : [ours, [cell(""), cell("plain"), ...classCells(inClass(plain))]];
  });
  return [[cell(""), cell(""), ...heads], ...rows];
}

function classCells(agents: readonly AgentTally[]): readonly Cell[] {
  const sum = (of: (agent: AgentTally) => number): number => agents.reduce((all, agent) => all + of(agent), 0);
  const refused = sum(({ results }) => results["refused by GitHub"] + results["refused by the squad"]);
  const latencies = agents.flatMap(({ latenciesMs }) => latenciesMs);
  const latency = (share: number): Cell => {
    const ms = percentile(latencies, share);
    return ms === undefined ? NOTHING : cell(`${thousands(Math.round(ms))} ms`);
  };
  const silentMs = Math.max(0, ...agents.map(({ longestSilenceMs }) => longestSilenceMs));
  return [
    count(sum(({ results }) => results.answered)),
    count(refused),
    cell(seconds(silentMs)),
    latency(0.5),
    latency(0.95),
  ];
}

/** What the squad said to those that it did not let go at once. */
function explanations({ chronicle }: Result): readonly string[] {
  const wait = chronicle.kept("wait");
  const error = chronicle.kept("SquadRateError");
  return [
    ...(wait === undefined ? [] : ["How a wait explains itself (squad-rate:decision):", ...indented(wait), ""]),
    ...(error === undefined ? [] : ["How a refusal explains itself (SquadRateError.message):", ...indented(error), ""]),
  ];
}

function indented(text: string): readonly string[] {
  return wrap(`  ${text}`, WIDTH, "  ");
}

function excerpt({ principals, cache, counters }: SquadStatus): readonly string[] {
  const [principal] = principals;
  const core = principal?.windows.core;
  const shown = { principals: [{ ...principal, windows: { core } }], cache, counters };
  // Innermost objects on one line each.
  return JSON.stringify(shown, null, 2)
    .replace(/\{[^{}]*\}/g, (object) => object.replace(/\s+/g, " "))
    .split("\n");
}

function words({ squad, plain, status, seconds: lasted }: Result): readonly string[] {
  const answers = (side: SideResult): string => thousands(total(side.tally, "answered"));
  const units = (side: SideResult): string => thousands(side.bill.units);
  const refused = ({ bill }: SideResult): string =>
    bill.refusals === 0 ? "was never refused" : `was refused ${thousands(bill.refusals)} times`;
  const waits = status.counters.waited > 0 ? ` P1 and P2 waited up to ${longestSilence(squad, 1, 2)}.` : "";
  const told =
    plain === undefined
      ? [
          `With squadRate the agents had ${answers(squad)} answers in ${lasted} s for ${units(squad)} units of quota.`,
          "Plain Octokit was not run beside it, because that would spend your quota: it pays a unit for each answer.",
        ]
      : [
          `With squadRate the squad had ${answers(squad)} answers for ${units(squad)} units of quota, ${refused(squad)}, and`,
          `left no P0 agent without an answer for longer than ${longestSilence(squad, 0, 0)}.${waits}`,
          `Plain Octokit had ${answers(plain)} answers for ${units(plain)} units, ${refused(plain)}, and left P0 without an`,
          `answer for up to ${longestSilence(plain, 0, 0)}. Both ran at the same time, each with a credential of its own on`,
          "a simulated GitHub of its own, in which the same things happened.",
        ];
  return wrap(told.join(" "), WIDTH);
}

/** The longest that any agent of these classes has heard nothing. */
function longestSilence({ tally }: SideResult, from: number, to: number): string {
  const agents = tally.agents.filter(({ priority }) => priority >= from && priority <= to);
  return seconds(Math.max(0, ...agents.map(({ longestSilenceMs }) => longestSilenceMs)));
}

function failures({ squad, plain }: Result): readonly string[] {
  const all = [...squad.tally.failures, ...(plain?.tally.failures ?? [])];
  return all.length === 0
    ? []
    : ["", `${all.length} calls failed that should not have:`, ...all.slice(0, 5).map((one) => `  ${one}`)];
}
