import { createRandom } from "../../src/sim/github/random.js";
import type { SecondaryLimitOptions } from "../../src/sim/github/secondary-options.js";
import { type Demand, steadyDemand, waitingCrowd } from "./demand.js";

export const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A secondary limit that strikes although nobody has broken one that is published. */
export interface Strike {
  readonly atMs: number;
  readonly forMs: number;
}

/** What clients are put through. Times are milliseconds after the scenario's start. */
export interface Scenario {
  readonly title: string;
  readonly demand: Demand;
  /** The core quota of an hour. */
  readonly coreLimit: number;
  /** How much of the window is over when the scenario starts, and whether it is used up by then. */
  readonly usedUpSinceMs: number | undefined;
  readonly secondary: Partial<SecondaryLimitOptions>;
  readonly strikes: readonly Strike[];
  /** Some connections break after GitHub has done what was asked, and some reads are answered 502. */
  readonly faults: boolean;
  /** Quota that there is to be used until `availableUntil`; undefined where that is not the question. */
  readonly availableUnits: number | undefined;
  readonly availableUntil: number;
  /** When the run ends even if calls are open. */
  readonly latestMs: number;
  readonly maxWaitMs: number;
}

export const SCENARIOS = ["steady", "refused-bare", "refused-retry-after", "crowd"] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

/** `quick` makes it smaller. */
export function scenarioOf(name: ScenarioName, seed: number, quick: boolean): Scenario {
  switch (name) {
    case "steady":
      return steady(seed, quick);
    case "refused-bare":
      return refused("bare", seed, quick);
    case "refused-retry-after":
      return refused("retry-after", seed, quick);
    case "crowd":
      return crowd(seed, quick);
  }
}

/** Three windows in which twice as much is wanted as the quota allows. */
function steady(seed: number, quick: boolean): Scenario {
  return overload(quick ? 1_000 : 5_000, quick ? 2 : 3, seed);
}

/** The same for a smaller quota, with limits that nobody publishes, a stricter one for content, and broken connections. */
function refused(headerProfile: SecondaryLimitOptions["headerProfile"], seed: number, quick: boolean): Scenario {
  const windows = quick ? 2 : 3;
  const wanted = overload(1_000, windows, seed);
  const random = createRandom(seed + 17);
  // One in each quarter of an hour.
  const strikes = Array.from({ length: windows * 4 }, (_, quarter) => ({
    atMs: Math.floor((quarter + random()) * 15 * MINUTE_MS),
    forMs: 30_000 + Math.floor(random() * 30_000),
  }));
  const how = headerProfile === "bare" ? "without Retry-After" : "with Retry-After";
  return {
    ...wanted,
    title: `${wanted.title}; secondary refusals ${how}, and broken connections`,
    secondary: { headerProfile, contentPerMinute: 15 },
    strikes,
    faults: true,
  };
}

function overload(coreLimit: number, windows: number, seed: number): Scenario {
  const forMs = windows * HOUR_MS;
  const load = { agents: 16, forMs, corePerHour: 2 * coreLimit, writes: 0.03, graphqlPerHour: 0.1 * coreLimit };
  const maxWaitMs = 2 * HOUR_MS;
  return {
    title: `${load.agents} agents want 200 % of ${coreLimit} units an hour for ${windows} hours`,
    demand: steadyDemand(load, seed),
    coreLimit,
    usedUpSinceMs: undefined,
    secondary: {},
    strikes: [],
    faults: false,
    availableUnits: windows * coreLimit,
    availableUntil: forMs,
    latestMs: forMs + maxWaitMs + HOUR_MS,
    maxWaitMs,
  };
}

/** The quota is used up, and everybody waits for the reset in two minutes. */
function crowd(seed: number, quick: boolean): Scenario {
  const agents = quick ? 100 : 500;
  const maxWaitMs = 2 * HOUR_MS;
  return {
    title: `${agents} agents wait for the reset of a quota that was used up two minutes before`,
    demand: waitingCrowd(agents, MINUTE_MS, seed),
    coreLimit: 5_000,
    usedUpSinceMs: HOUR_MS - 2 * MINUTE_MS,
    secondary: {},
    strikes: [],
    faults: false,
    availableUnits: undefined,
    availableUntil: 0,
    latestMs: maxWaitMs,
    maxWaitMs,
  };
}

/** A little of everything, to be played before what counts. */
export function rehearsal(seed: number): Scenario {
  const load = { agents: 2, forMs: MINUTE_MS, corePerHour: 600, writes: 0.5, graphqlPerHour: 300 };
  return {
    ...overload(1_000, 1, seed),
    demand: steadyDemand(load, seed),
    strikes: [{ atMs: 20_000, forMs: 10_000 }],
    faults: true,
    latestMs: 10 * MINUTE_MS,
  };
}
