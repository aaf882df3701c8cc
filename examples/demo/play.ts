import { setMaxListeners } from "node:events";
import { createSquad, type SquadStatus } from "octokit-plugin-squad-rate";
import type { Agent } from "./agents.js";
import { Chronicle } from "./chronicle.js";
import { type Account, createPlainClient, createSquadClient, type Side } from "./clients.js";
import { runAgents } from "./run-agents.js";
import { coloursIn, createScreen } from "./screen.js";
import type { Bill } from "./stage.js";
import { renderSummary } from "./summary.js";
import type { Moment, SideView } from "./table.js";
import { Tally } from "./tally.js";

/** What is played, and where. */
export interface Script {
  readonly seconds: number;
  /** Whose GitHub it is, for the head of the table. */
  readonly github: string;
  /** The agents of one side; each side has its own, because they remember what they have seen. */
  cast(): readonly Agent[];
  readonly squad: { readonly account: Account; readonly mayWrite: boolean; bill(status: SquadStatus): Bill };
  /** The same with plain Octokit. */
  readonly plain?: {
    readonly account: Account;
    bill(): Bill;
    window(): { readonly limit: number; readonly remaining: number; readonly resetAt: number };
  };
  /** Called when the agents begin. */
  begin?(stop: AbortSignal): void;
}

/** Plays the script to its end or to Ctrl-C, shows it and sums it up. Returns what failed that should not have. */
export async function play(script: Script): Promise<readonly string[]> {
  const { stdout, env } = process;
  const stop = new AbortController();
  // One signal ends every call of every agent.
  setMaxListeners(0, stop.signal);
  const startedAt = performance.now();
  const elapsedMs = (): number => performance.now() - startedAt;
  const screen = createScreen(stdout, env);
  const chronicle = new Chronicle(elapsedMs, screen.news);
  const stopListening = chronicle.listen();
  const endEarly = (): void => stop.abort();
  process.once("SIGINT", endEarly).once("SIGTERM", endEarly);
  const curtain = setTimeout(endEarly, script.seconds * 1_000);

  const squad = createSquad();
  const sideOf = (account: Account, name: string, mayWrite: boolean): Side => ({
    account,
    mayWrite,
    tally: new Tally(),
    stop: stop.signal,
    elapsedMs,
    onRefusal: (agent, message, by) => {
      if (by === "SquadRateError") chronicle.keep(by, message);
      else chronicle.tell(by, `GitHub refuses ${agent} ${name}: ${message.split(". ")[0]}`);
    },
  });
  const ours = sideOf(script.squad.account, "with squadRate", script.squad.mayWrite);
  const theirs = script.plain && sideOf(script.plain.account, "with plain Octokit", true);
  const running = [
    runAgents({ ...ours, agents: script.cast(), clientOf: (agent) => createSquadClient(ours, squad, agent) }),
    theirs && runAgents({ ...theirs, agents: script.cast(), clientOf: (agent) => createPlainClient(theirs, agent) }),
  ];
  script.begin?.(stop.signal);
  screen.open(
    (): Moment => ({
      elapsedMs: elapsedMs(),
      seconds: script.seconds,
      github: script.github,
      squad: squadView(ours.tally, squad.status()),
      plain: script.plain && theirs && plainView(theirs.tally, script.plain.window()),
      happenings: chronicle.lines,
    }),
  );
  await Promise.all(running);

  clearTimeout(curtain);
  process.off("SIGINT", endEarly).off("SIGTERM", endEarly);
  stopListening();
  screen.close();
  const status = squad.status();
  await squad.close();
  const result = {
    seconds: Math.round(elapsedMs() / 1_000),
    squad: { tally: ours.tally, bill: script.squad.bill(status) },
    status,
    plain: script.plain && theirs && { tally: theirs.tally, bill: script.plain.bill() },
    chronicle,
  };
  stdout.write(`\n${renderSummary(result, stdout.isTTY === true && coloursIn(env)).join("\n")}\n`);
  return [...ours.tally.failures, ...(theirs?.tally.failures ?? [])];
}

function squadView(tally: Tally, { principals, waiting }: SquadStatus): SideView {
  const core = principals[0]?.windows.core;
  const { limit, remaining, resetAt, light } = core ?? {};
  const known = limit !== undefined && remaining !== undefined;
  return {
    agents: tally.agents,
    waiting: new Set(waiting.map(({ agent }) => agent)),
    window: known ? { limit, remaining, resetInMs: resetAt === undefined ? 0 : resetAt - Date.now() } : undefined,
    light,
  };
}

function plainView(
  tally: Tally,
  window: { readonly limit: number; readonly remaining: number; readonly resetAt: number },
): SideView {
  const { limit, remaining, resetAt } = window;
  return {
    agents: tally.agents,
    waiting: new Set(),
    window: { limit, remaining, resetInMs: resetAt - Date.now() },
    light: undefined,
  };
}
