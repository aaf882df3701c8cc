import type { FleetAgent } from "./client.js";
import type { FleetSession } from "./needs.js";
import type { FleetAgents, FleetScenario, WatchWork } from "./scenario.js";

/** One agent, what it is to do, and where it runs. */
export interface PlacedAgent {
  readonly agent: FleetAgent;
  /** Counted from 0, over all agents of the fleet. */
  readonly index: number;
  /** What the scenario says of it. */
  readonly of: FleetAgents;
  readonly process: number;
}

/** The owner of all repositories of a fleet. */
export const FLEET_OWNER = "acme";

const PER_REPOSITORY = 10;

/** A pull request that is to be made for a session. */
export type NewSession = Omit<FleetSession, "number">;

/**
 * Spreads agents over processes: one after the other, but watchers of one repository together. `open` makes a session's
 * pull request.
 */
export function placeAgents(scenario: FleetScenario, open: (session: NewSession) => number): readonly PlacedAgent[] {
  const processes = scenario.processes ?? 1;
  const placed: PlacedAgent[] = [];
  let sessions = 0;
  let places = 0;
  for (const of of scenario.agents) {
    const { name, count, priority, work } = of;
    for (let nth = 0; nth < count; nth++) {
      const watch = work.kind === "watch" ? work : undefined;
      if (watch === undefined || nth % repositorySize(watch) === 0) places += 1;
      const repo = watch === undefined ? "" : `${name}-app-${1 + Math.floor(nth / repositorySize(watch))}`;
      const session = watch === undefined ? undefined : { index: sessions++, owner: FLEET_OWNER, repo };
      const agent: FleetAgent = {
        name: `${name}-${nth}`,
        priority,
        session: session === undefined ? undefined : { ...session, number: open(session) },
      };
      placed.push({ agent, index: placed.length, of, process: (places - 1) % processes });
    }
  }
  return placed;
}

function repositorySize({ perRepository }: WatchWork): number {
  return perRepository ?? PER_REPOSITORY;
}
