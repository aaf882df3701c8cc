import { seedChance } from "../recovery/seeded-chance.js";
import type { Figures } from "./figures.js";
import type { ClientName } from "./make-client.js";
import { play } from "./play.js";
import type { Scenario } from "./scenario.js";

/** One run of one client. */
export interface Job {
  readonly client: ClientName;
  readonly scenario: Scenario;
  readonly seed: number;
}

/** Does a job in this process, whose chance is the job's from now on. */
export function doJob({ client, scenario, seed }: Job): Promise<Figures> {
  seedChance(seed);
  for (const name of Object.keys(process.env)) if (name.startsWith("SQUAD_RATE_")) delete process.env[name];
  return play(client, scenario, seed);
}
