import type { Priority } from "../../policy/light.js";
import type { FleetAgents, FleetChanges, FleetGitHub, FleetMishap, FleetScenario, HiddenUse } from "./scenario.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** What {@link watchFleet} makes a fleet of. */
export interface WatchFleetShape {
  readonly sessions: number;
  /**
   * `"quiet"`: nothing changes. `"measured"`: as little as real squads saw while they were said to be quiet. A share: so many
   * of the sessions change per poll. Default `"quiet"`.
   */
  readonly changes?: "quiet" | "measured" | { readonly sharePerPoll: number };
  readonly seed?: number;
  /** Default 10 minutes. */
  readonly warmUpMs?: number;
  /** Default an hour. */
  readonly forMs?: number;
  readonly processes?: number;
  readonly start?: "spread" | "together";
  readonly perRepository?: number;
  readonly github?: FleetGitHub;
}

/**
 * With it a fleet whose guards are written by hand spends about as many GraphQL units as real squads were measured to:
 * a handful of changes in the whole project, however many sessions watch it.
 */
const MEASURED_CHANGES: FleetChanges = { kind: "rate", perHour: 30 };

/**
 * Sessions that watch a pull request each, ten to a repository, and poll every 30 s.
 *
 * @example
 * ```ts
 * await runFleet(watchFleet({ sessions: 50, changes: "measured" }), createSquadClient());
 * ```
 */
export function watchFleet(shape: WatchFleetShape): FleetScenario {
  const {
    sessions,
    changes = "quiet",
    seed = 1,
    warmUpMs = 10 * MINUTE_MS,
    forMs = HOUR_MS,
    processes,
    github,
  } = shape;
  return {
    seed,
    warmUpMs,
    forMs,
    agents: [watchers(sessions, shape, 0)],
    ...changesOf(changes),
    ...(processes === undefined ? {} : { processes }),
    ...(github === undefined ? {} : { github }),
  };
}

/** What {@link reactiveFleet} makes a fleet of. */
export interface ReactiveFleetShape extends Omit<WatchFleetShape, "changes"> {
  /** Of the sessions, 0 to 1, how many change per poll. */
  readonly sharePerPoll: number;
  /** How often each looks at what it has changed. Default 3. */
  readonly ownCallsPerChange?: number;
}

/** The same with agents that react: some of the sessions change per poll, and look at their pull requests by themselves. */
export function reactiveFleet({ sharePerPoll, ownCallsPerChange = 3, ...shape }: ReactiveFleetShape): FleetScenario {
  return {
    ...watchFleet({ ...shape, changes: { sharePerPoll } }),
    agents: [watchers(shape.sessions, shape, ownCallsPerChange)],
  };
}

/** What {@link oversubscribedFleet} makes a fleet of. */
export interface OversubscribedFleetShape {
  readonly agents: number;
  readonly processes: number;
  /** Demand as a share of the quota: 1.6 is more than there is. */
  readonly demand: number;
  /** Units spent by somebody outside, as a share of the quota. Default 0. */
  readonly hidden?: number;
  /** How many processes are killed on the way. Default 0. */
  readonly kills?: number;
  /** Each machine's clock is off by a fixed amount within plus or minus this. Default 0. */
  readonly clockSkewMs?: number;
  /** Units of the core quota in a window of an hour. Default 5,000. */
  readonly limit?: number;
  /** Default 3. */
  readonly windows?: number;
  /** Default 60,000. */
  readonly maxWaitMs?: number;
  /** Mean time of one way to the store. Default 2 ms. */
  readonly storeLatencyMs?: number;
  readonly seed?: number;
}

/** Of the demand, and of the agents, by class. */
const DEMAND_SPLIT = [0.2, 0.3, 0.5] as const;
const AGENT_SPLIT = [0.25, 0.25, 0.5] as const;

/**
 * Agents that call more than the quota allows, 20, 30 and 50 % of it at priorities 0, 1 and 2. Everything is measured from
 * the start. Processes are killed one after the other, at even distances over the middle of the time.
 */
export function oversubscribedFleet(shape: OversubscribedFleetShape): FleetScenario {
  const { agents, processes, demand, hidden = 0, kills = 0, clockSkewMs = 0, limit = 5_000, windows = 3 } = shape;
  const { maxWaitMs = MINUTE_MS, storeLatencyMs = 2, seed = 1 } = shape;
  const forMs = windows * HOUR_MS;
  const counts = AGENT_SPLIT.map((share) => Math.max(1, Math.round(share * agents)));
  counts[2] = Math.max(1, agents - (counts[0] ?? 0) - (counts[1] ?? 0));
  const callers = counts.map((count, index): FleetAgents => {
    const perHour = (demand * limit * (DEMAND_SPLIT[index] ?? 0)) / count;
    const priority = index as Priority;
    return { name: `p${priority}`, count, priority, work: { kind: "calls", perHour, maxWaitMs } };
  });
  const mishaps = Array.from({ length: kills }, (_, index): FleetMishap => {
    const atMs = Math.round(forMs * (0.25 + (0.5 * (index + 0.5)) / kills));
    return { kind: "kill", process: processes - 1 - index, atMs };
  });
  const hiddenUse: HiddenUse = { resource: "core", unitsPerHour: hidden * limit };
  return {
    seed,
    warmUpMs: 0,
    forMs,
    agents: callers,
    processes,
    github: { limits: { core: { limit } } },
    ...(hidden > 0 ? { hidden: [hiddenUse] } : {}),
    mishaps,
    clockSkewMs,
    storeLatencyMs,
  };
}

function watchers(
  sessions: number,
  { start, perRepository }: Pick<WatchFleetShape, "start" | "perRepository">,
  ownCallsPerChange: number,
): FleetAgents {
  return {
    name: "session",
    count: sessions,
    priority: 1,
    work: {
      kind: "watch",
      ownCallsPerChange,
      ...(start === undefined ? {} : { start }),
      ...(perRepository === undefined ? {} : { perRepository }),
    },
  };
}

function changesOf(changes: NonNullable<WatchFleetShape["changes"]>): Pick<FleetScenario, "changes"> {
  if (changes === "quiet") return {};
  if (changes === "measured") return { changes: MEASURED_CHANGES };
  return { changes: { kind: "share", sharePerPoll: changes.sharePerPoll } };
}
