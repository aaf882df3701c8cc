import type { FleetAgent } from "../../../src/sim/fleet/client.js";
import type { FleetSession } from "../../../src/sim/fleet/needs.js";

/** The session of an agent that is polled for. */
export function sessionOf({ name, session }: FleetAgent): FleetSession {
  if (session === undefined) throw new Error(`${name} watches no pull request.`);
  return session;
}

/** Agents by the repository that they watch. */
export function byRepository(agents: readonly FleetAgent[]): readonly (readonly FleetAgent[])[] {
  const groups = new Map<string, FleetAgent[]>();
  for (const agent of agents) {
    const { owner, repo } = sessionOf(agent);
    const key = `${owner}/${repo}`;
    groups.set(key, [...(groups.get(key) ?? []), agent]);
  }
  return [...groups.values()];
}

/** Those that watch anything. */
export function watchers(agents: readonly FleetAgent[]): readonly FleetAgent[] {
  return agents.filter(({ session }) => session !== undefined);
}
