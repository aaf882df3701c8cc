import type { Priority } from "../../../policy/light.js";

/** One agent: whose calls they are, in which process it runs, and how many it makes. */
export interface QuotaAgent {
  readonly name: string;
  /** Agents of one process share a client. */
  readonly process: string;
  readonly priority: Priority;
  /** Calls per window, on average; they arrive at random (Poisson). */
  readonly callsPerWindow: number;
}

/** Something that happens to a process or to the store. Times are milliseconds since the start. */
export type QuotaMishap =
  /** SIGKILL: nothing is returned, nothing is said. */
  | { readonly kind: "kill"; readonly process: string; readonly atMs: number }
  /** SIGSTOP, and SIGCONT after `forMs`. */
  | { readonly kind: "stop"; readonly process: string; readonly atMs: number; readonly forMs: number }
  /** The machine sleeps for `forMs`, and its monotonic clock does not count it: nobody there knows how long it was. */
  | { readonly kind: "suspend"; readonly process: string; readonly atMs: number; readonly forMs: number }
  /** The store answers nobody for `forMs`. */
  | { readonly kind: "store-away"; readonly atMs: number; readonly forMs: number }
  /** The store loses everything, as after a restart without persistence. */
  | { readonly kind: "store-emptied"; readonly atMs: number }
  /** The store goes back to what it held `byMs` earlier, as after a failover to a replica that lagged. */
  | { readonly kind: "store-rolled-back"; readonly atMs: number; readonly byMs: number };

/** A fleet, its quota and its troubles, as data. The same scenario always gives the same run. */
export interface QuotaScenario {
  readonly seed: number;
  readonly limit: number;
  readonly windowMs: number;
  /** How many windows' time to run. */
  readonly windows: number;
  readonly agents: readonly QuotaAgent[];
  /** Units per window spent by somebody outside the pool (Poisson). */
  readonly hiddenPerWindow: number;
  /** Callers give up after this long. */
  readonly maxWaitMs: number;
  /** Share (0-1) of calls that cost nothing (304). */
  readonly unchangedShare: number;
  /** Mean time of an exchange; exponential above a quarter of it, so that answers overtake each other. */
  readonly latencyMs: number;
  readonly storeLatencyMs: number;
  /** GitHub names a reset that is off by this much in some answers. */
  readonly resetJitterMs: number;
  /** Each machine's clock is off by a fixed amount within plus or minus this, until an answer tells GitHub's time. */
  readonly clockSkewMs: number;
  /** From then on it is still wrong by a fixed error within plus or minus this. */
  readonly clockErrorMs: number;
  /** Limits of single processes' credentials, where they differ. */
  readonly limits: Readonly<Record<string, number>>;
  readonly mishaps: readonly QuotaMishap[];
}

/** What most fleets are like: see {@link fleetOf}. */
export interface QuotaShape {
  readonly seed: number;
  readonly spenders: number;
  readonly limit: number;
  readonly windowMs: number;
  readonly windows: number;
  /** Demand as a share of the limit. Default 1.6. */
  readonly demand?: number;
  /** Hidden use as a share of the limit. Default 0. */
  readonly hidden?: number;
  /** How many spenders are killed halfway. Default 0. */
  readonly killed?: number;
}

/** Of the demand, by class. */
const DEMAND_SPLIT = [0.2, 0.3, 0.5] as const;
/** Of the spenders, by class. */
const SPENDER_SPLIT = [0.25, 0.25, 0.5] as const;

/**
 * A fleet of one-agent processes: demand split 20/30/50 over P0/P1/P2, callers that wait up to a minute, answers out of
 * order, and `killed` spenders (of the last ones, so of P2 and P1) that die halfway.
 */
export function fleetOf(shape: QuotaShape): QuotaScenario {
  const { seed, spenders, limit, windowMs, windows } = shape;
  const counts = [0, 0, 0];
  const priorities = Array.from({ length: spenders }, (_, index): Priority => {
    const share = (index + 0.5) / spenders;
    const priority: Priority = share < SPENDER_SPLIT[0] ? 0 : share < SPENDER_SPLIT[0] + SPENDER_SPLIT[1] ? 1 : 2;
    counts[priority] = (counts[priority] ?? 0) + 1;
    return priority;
  });
  const split = DEMAND_SPLIT.map((share, priority) => (counts[priority] === 0 ? 0 : share));
  const calls = ((shape.demand ?? 1.6) * limit) / split.reduce((sum, share) => sum + share, 0 as number);
  const agents = priorities.map((priority, index) => ({
    name: `agent-${index}`,
    process: `process-${index}`,
    priority,
    callsPerWindow: (calls * DEMAND_SPLIT[priority]) / (counts[priority] ?? 1),
  }));
  const mishaps = Array.from({ length: shape.killed ?? 0 }, (_, index): QuotaMishap => {
    const process = `process-${index % 2 === 0 ? spenders - 1 - index : Math.floor(spenders * 0.4)}`;
    return { kind: "kill", process, atMs: (windows / 2 + 0.3 * index) * windowMs };
  });
  return {
    seed,
    limit,
    windowMs,
    windows,
    agents,
    hiddenPerWindow: (shape.hidden ?? 0) * limit,
    maxWaitMs: 60_000,
    unchangedShare: 0,
    latencyMs: 200,
    storeLatencyMs: 5,
    resetJitterMs: 0,
    clockSkewMs: 0,
    clockErrorMs: 0,
    limits: {},
    mishaps,
  };
}
