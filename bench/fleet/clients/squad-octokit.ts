import { Octokit } from "@octokit/core";
import { Keyv } from "keyv";
import { type SquadOptions, squadRate, squadRequest } from "../../../src/index.js";
import type { FleetAgent, FleetCall, FleetSeat } from "../../../src/sim/fleet/client.js";
import { createRandom } from "../../../src/sim/github/random.js";
import { octokitOptions } from "./octokit-options.js";
import { makeCall } from "./reads.js";

const SquadOctokit = Octokit.plugin(squadRate);
export type SquadOctokit = InstanceType<typeof SquadOctokit>;

/** What squads of a benchmark are told beyond their defaults. */
export type SquadSettings = Pick<SquadOptions, "secondary" | "trace" | "cache">;

/** A late poll is worth more to a session than none. */
const MAX_WAIT_MS = 600_000;

/**
 * An Octokit in a squad of its own, as each process has one; what all of them share is the seat's store. It works for
 * `agents`, and what it does for all of them is as urgent as the most urgent of them.
 */
export function squadOctokit(
  name: string,
  agents: readonly FleetAgent[],
  seat: FleetSeat,
  settings: SquadSettings,
): SquadOctokit {
  // Agents of one name would be told apart by chance alone.
  const random = createRandom(1_000 * seat.seed + [...name].reduce((sum, one) => 31 * sum + one.charCodeAt(0), 0));
  const priority = agents.map((agent) => agent.priority).sort((one, other) => one - other)[0];
  const store = new Keyv({ store: seat.store });
  const squad = { agent: name, priority, store, clock: seat.clock, random, maxWaitMs: MAX_WAIT_MS, ...settings };
  return new SquadOctokit({ ...octokitOptions(seat), squad });
}

/** Makes a call in its agent's name and with its priority. */
export function callThrough(octokit: SquadOctokit, call: FleetCall): Promise<unknown> {
  const { agent, maxWaitMs } = call;
  const squad = squadRequest({ agent: agent.name, priority: agent.priority, maxWaitMs });
  return makeCall(octokit, call, { squad });
}
