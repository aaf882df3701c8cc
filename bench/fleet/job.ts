import type { FleetReport } from "../../src/sim/fleet/report.js";
import { runFleet } from "../../src/sim/fleet/run-fleet.js";
import type { FleetScenario } from "../../src/sim/fleet/scenario.js";
import type { FleetTime } from "../../src/sim/fleet/time.js";
import { seedChance } from "../recovery/seeded-chance.js";
import { installVirtualTime } from "../recovery/virtual-time.js";
import type { SquadSettings } from "./clients/squad-octokit.js";
import { type ClientName, clientFactory } from "./clients.js";
import { type HeapSample, HeapWatch } from "./heap-watch.js";
import { loadAhead } from "./load-ahead.js";
import { TraceTally, type UnitsByResource } from "./trace-tally.js";

/** One run of one client. */
export interface Job {
  readonly client: ClientName;
  readonly scenario: FleetScenario;
  /** What squads are told beyond their defaults. */
  readonly settings: SquadSettings;
  /** How often memory is looked at, in milliseconds of the fleet's time; undefined: never. */
  readonly heapEveryMs: number | undefined;
  /** Whether squads trace what they do. */
  readonly traced: boolean;
}

/** What came of it, and what it took. */
export interface JobResult {
  readonly report: FleetReport;
  readonly seconds: number;
  /** Of this process, all its threads. */
  readonly cpuSeconds: number;
  readonly heap: readonly HeapSample[];
  /** What squads' traces say that they have paid in the whole run. */
  readonly tracedUnits: UnitsByResource | undefined;
}

/** Where fleets begin. */
const START_AT = Date.UTC(2030, 0, 1);

/** Does a job in this process, whose time and chance are the job's from now on. */
export async function doJob({ client, scenario, settings, heapEveryMs, traced }: Job): Promise<JobResult> {
  for (const name of Object.keys(process.env)) if (name.startsWith("SQUAD_RATE_")) delete process.env[name];
  const realNow = performance.now.bind(performance);
  // The official plugins keep to the timers of the process, and Bottleneck to those that it finds when it is loaded.
  const time: FleetTime | undefined = client === "b" ? installVirtualTime(START_AT).brisk : undefined;
  seedChance(scenario.seed);
  await loadAhead();
  const trace = new TraceTally();
  const createClient = await clientFactory(client, traced ? { ...settings, trace: trace.add } : settings);
  const heap = new HeapWatch(heapEveryMs);
  const startedAt = realNow();
  const cpuBefore = process.cpuUsage();
  const report = await runFleet(scenario, createClient, {
    ...(time === undefined ? {} : { time }),
    onProgress: (progress) => heap.look(progress),
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    report,
    seconds: (realNow() - startedAt) / 1_000,
    cpuSeconds: (user + system) / 1_000_000,
    heap: heap.samples,
    tracedUnits: traced ? trace.units : undefined,
  };
}
