import { Octokit } from "@octokit/core";
import type { KeyvLike } from "../../src/index.js";
import { squadRate } from "../../src/index.js";
import { createRandom } from "../../src/sim/github/random.js";
import type { Surroundings } from "./client.js";
import { TOKEN } from "./fleet.js";
import { QUIET } from "./quiet.js";

const SquadOctokit = Octokit.plugin(squadRate);
export type SquadOctokit = InstanceType<typeof SquadOctokit>;

/** A late poll is worth more to a session than none. */
const MAX_WAIT_MS = 600_000;

/** An Octokit in a squad of its own, as each process has one; `store` is what all of them share. */
export function squadOctokit(agent: string, store: KeyvLike, { fetch, clock, seed }: Surroundings): SquadOctokit {
  // Agents of one name would be told apart by chance alone.
  const random = createRandom(1_000 * seed + [...agent].reduce((sum, letter) => 31 * sum + letter.charCodeAt(0), 0));
  const squad = { agent, store, clock, random, maxWaitMs: MAX_WAIT_MS };
  return new SquadOctokit({ auth: TOKEN, log: QUIET, request: { fetch }, squad });
}
