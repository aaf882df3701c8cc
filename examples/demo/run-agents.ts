import { setTimeout as pause } from "node:timers/promises";
import type { Octokit } from "@octokit/core";
import type { Agent } from "./agents.js";
import type { Tally } from "./tally.js";

/** What {@link runAgents} needs. */
export interface Shift {
  readonly agents: readonly Agent[];
  readonly tally: Tally;
  readonly stop: AbortSignal;
  clientOf(agent: Agent): Octokit;
  /** Milliseconds since the demo began. */
  elapsedMs(): number;
}

/** Lets all agents work until they are stopped. */
export async function runAgents(shift: Shift): Promise<void> {
  await Promise.all(shift.agents.map((agent) => runAgent(shift, agent)));
}

/**
 * An agent has a round due every `everyMs`. When one takes longer, the rounds that have passed meanwhile are left out:
 * nobody can look into the past. A round that fails is over; the next one is another chance.
 */
async function runAgent({ tally, stop, clientOf, elapsedMs }: Shift, agent: Agent): Promise<void> {
  const { name, everyMs, startsAtMs } = agent;
  const octokit = clientOf(agent);
  tally.enrol(name, agent.priority, startsAtMs);
  let finished = false;
  for (let dueAtMs = startsAtMs; !finished; ) {
    await pause(Math.max(0, dueAtMs - elapsedMs()), undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) break;
    try {
      finished = (await agent.round(octokit)) === "finished";
    } catch (error) {
      // What came of a call, the client has noted.
      const ofCall = (error as { readonly status?: unknown }).status !== undefined;
      if (!stop.aborted && !ofCall) tally.unexpected(`${name}: ${error}`);
    }
    const passed = Math.floor((elapsedMs() - startsAtMs) / everyMs);
    dueAtMs = Math.max(dueAtMs, startsAtMs + passed * everyMs) + everyMs;
  }
  tally.stop(name, elapsedMs(), finished);
}
