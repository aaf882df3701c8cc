import { type Cell, cell, columns, paint, seconds, type Tone, thousands, wrap } from "./columns.js";
import type { AgentTally } from "./tally.js";

/** One side as the table shows it. */
export interface SideView {
  readonly agents: readonly AgentTally[];
  /** Agents whose calls wait before they are sent. */
  readonly waiting: ReadonlySet<string>;
  /** The window of `core`; undefined before the first answer. */
  readonly window: { readonly limit: number; readonly remaining: number; readonly resetInMs: number } | undefined;
  /** The traffic light, where there is one. */
  readonly light: "green" | "amber" | "red" | undefined;
}

/** A moment of the demo. */
export interface Moment {
  readonly elapsedMs: number;
  readonly seconds: number;
  readonly github: string;
  readonly squad: SideView;
  /** Undefined where no plain client runs beside. */
  readonly plain: SideView | undefined;
  /** What has happened, the latest last. */
  readonly happenings: readonly string[];
}

/** Happenings that the table has room for. */
const LATEST = 5;
/** As wide as the time that a happening begins with. */
const UNDER_TIME = " ".repeat(9);
/** Characters of a full window's bar. */
const BAR = 14;

/** The moment as a table to be drawn over the one before. */
export function renderTable(moment: Moment, colours: boolean, width: number): readonly string[] {
  const { squad, plain, elapsedMs } = moment;
  const heads = (...names: readonly string[]): readonly Cell[] => names.map((name) => cell(name, "dim"));
  const rows = [
    [
      cell(""),
      ...heads("answered", "free", "refused", "news"),
      ...(plain ? heads("  answered", "refused", "news") : []),
    ],
    ...squad.agents.map((agent) => [
      cell(`P${agent.priority} ${agent.agent}`),
      cell(thousands(agent.results.answered)),
      cell(thousands(agent.free), "green"),
      refusals(agent),
      news(agent, squad, elapsedMs),
      ...(plain ? plainCells(agent.agent, plain, elapsedMs) : []),
    ]),
  ];
  const bold = (text: string): string => paint(cell(text, "bold"), colours);
  const time = `${Math.min(moment.seconds, Math.floor(elapsedMs / 1_000))} of ${moment.seconds} s`;
  const end = paint(cell("Ctrl-C ends it", "dim"), colours);
  return [
    `${bold(`${moment.github}, ${squad.agents.length} agents`)}   ${time}   ${end}`,
    "",
    `with squadRate   ${windowText(squad, colours)}`,
    ...(plain ? [`plain Octokit    ${windowText(plain, colours)}`] : []),
    "",
    ...(plain ? [bold(titlesOver(columns(rows, false)[0] ?? ""))] : []),
    ...columns(rows, colours),
    "",
    ...moment.happenings.slice(-LATEST).flatMap((line) => wrap(line, width, UNDER_TIME)),
  ];
}

/** The two sides' names, each over the first of its columns. */
function titlesOver(heads: string): string {
  const [ours, theirs] = [heads.indexOf("answered"), heads.lastIndexOf("answered")];
  return `${"".padEnd(ours)}${"with squadRate".padEnd(theirs - ours)}plain Octokit`;
}

/** What a log begins with. */
export function renderHead({ github, seconds: lasting, squad, plain }: Moment): string {
  const beside = plain === undefined ? "" : ", and the same beside it with plain Octokit";
  return `${github}: ${squad.agents.length} agents in one squad${beside}, for ${lasting} s.`;
}

/** The moment on one line, for a log. */
export function renderLine({ elapsedMs, squad, plain }: Moment): string {
  const at = `${Math.round(elapsedMs / 1_000)} s`.padStart(7);
  const beside = plain === undefined ? "" : ` | plain: ${sideText(plain)}`;
  return `${at}  squadRate: ${sideText(squad)}${beside}`;
}

function sideText({ agents, window, light }: SideView): string {
  const sum = (of: (agent: AgentTally) => number): string =>
    thousands(agents.reduce((all, agent) => all + of(agent), 0));
  const left = window === undefined ? "" : `, ${window.remaining} of ${window.limit} units left`;
  const refused = sum(({ results }) => results["refused by GitHub"] + results["refused by the squad"]);
  return `${sum(({ results }) => results.answered)} answered, ${refused} refused${left}${light === undefined ? "" : `, ${light}`}`;
}

function windowText({ window, light }: SideView, colours: boolean): string {
  if (window === undefined) return "no window seen yet";
  const { limit, remaining, resetInMs } = window;
  const empty = remaining === 0;
  const filled = Math.round((BAR * remaining) / limit);
  const tone = light ?? (empty ? "red" : "green");
  const bar = paint(cell("#".repeat(filled), tone), colours) + paint(cell(".".repeat(BAR - filled), "dim"), colours);
  const word =
    light === undefined ? (empty ? "   GitHub refuses" : "") : `   ${paint(cell(light.toUpperCase(), tone), colours)}`;
  return `${bar} ${String(remaining).padStart(String(limit).length)} of ${limit} left, reset in ${Math.ceil(Math.max(0, resetInMs) / 1_000)} s${word}`;
}

function plainCells(name: string, side: SideView, elapsedMs: number): readonly Cell[] {
  const agent = side.agents.find((one) => one.agent === name);
  return agent === undefined
    ? []
    : [cell(thousands(agent.results.answered)), refusals(agent), news(agent, side, elapsedMs)];
}

function refusals({ results }: AgentTally): Cell {
  const refused = results["refused by GitHub"] + results["refused by the squad"];
  return refused === 0
    ? cell("-", "dim")
    : cell(thousands(refused), results["refused by GitHub"] > 0 ? "red" : "amber");
}

/** How long ago the agent last heard anything. */
function news({ agent, newsAtMs, results, finished }: AgentTally, { waiting }: SideView, elapsedMs: number): Cell {
  if (finished) return cell("done", "dim");
  const silentMs = elapsedMs - newsAtMs;
  if (results.answered === 0 && silentMs <= 0) return cell("-", "dim");
  if (waiting.has(agent)) return cell("waits", "amber");
  const tone: Tone = silentMs > 2_500 ? "red" : "plain";
  return cell(seconds(silentMs), tone);
}
