import type { ClientName } from "./clients.js";
import { type Figures, figuresOf } from "./figures.js";
import { play } from "./play.js";
import { rehearsal, type ScenarioName, scenarioOf } from "./scenarios.js";
import { seedChance } from "./seeded-chance.js";
import { installVirtualTime } from "./virtual-time.js";

/** One run of one client. */
export interface Job {
  readonly scenario: ScenarioName;
  readonly client: ClientName;
  readonly seed: number;
  readonly quick: boolean;
}

const DAY_MS = 86_400_000;
const REHEARSED_AT = Date.UTC(2030, 0, 1);

/** Does a job in this process, whose time and chance are the job's from now on. */
export async function doJob({ scenario, client, seed, quick }: Job): Promise<Figures> {
  const { brisk, patient } = installVirtualTime(REHEARSED_AT);
  seedChance(seed);
  for (const name of Object.keys(process.env)) if (name.startsWith("SQUAD_RATE_")) delete process.env[name];
  // What is loaded on first use is loaded now: no virtual time waits for a disk.
  await Promise.all([import("@octokit/plugin-retry"), import("@octokit/plugin-throttling")]);
  await play(client, rehearsal(seed), seed, patient);
  await brisk.run(() => false, REHEARSED_AT + DAY_MS);
  return figuresOf(await play(client, scenarioOf(scenario, seed, quick), seed, brisk));
}
