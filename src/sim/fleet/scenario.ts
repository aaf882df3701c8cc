import type { Priority } from "../../policy/light.js";
import type { FaultKind } from "../github/faults.js";
import type { LatencyOptions } from "../github/latency.js";
import type { ResourceLimit, ResourceName } from "../github/resource.js";
import type { SecondaryLimitOptions } from "../github/secondary-options.js";

/**
 * A fleet of agents on one credential, and what happens to it: plain data. The same scenario, client and seed always give
 * the same run. Times are milliseconds after the start, unless they say otherwise.
 */
export interface FleetScenario {
  readonly seed: number;
  /** Before anything is measured: first polls find everything new. */
  readonly warmUpMs: number;
  /** How much is measured after that. */
  readonly forMs: number;
  readonly agents: readonly FleetAgents[];
  /** Over how many processes the agents are spread; those who work in one repository stay together. Default 1. */
  readonly processes?: number;
  /** GitHub's limits and pace, where they differ from the published ones. */
  readonly github?: FleetGitHub;
  /** Quota spent by somebody outside the fleet. */
  readonly hidden?: readonly HiddenUse[];
  /** What changes in the sessions' pull requests while they are watched. */
  readonly changes?: FleetChanges;
  readonly mishaps?: readonly FleetMishap[];
  /** Mean time of one way to the store or back, in milliseconds. Default 0: the store answers at once. */
  readonly storeLatencyMs?: number;
  /** Each machine's clock is off by a fixed amount within plus or minus this. Default 0. */
  readonly clockSkewMs?: number;
  /** The credential's token is exchanged for another of the same identity so often. Default: never. */
  readonly tokenRotationMs?: number;
  readonly faults?: readonly FleetFault[];
}

/** Agents alike. */
export interface FleetAgents {
  /** They are called `ralph-0`, `ralph-1`, … */
  readonly name: string;
  readonly count: number;
  readonly priority: Priority;
  /** Default: until the end. */
  readonly untilMs?: number;
  readonly fromMs?: number;
  readonly work: FleetWork;
}

/** What an agent does. */
export type FleetWork = WatchWork | CallWork;

/**
 * Each agent watches a pull request of its own. At every poll it needs, no older than the poll: its repository's list of pull
 * requests, its pull request, the check runs of its head, its review comments, and its status by GraphQL.
 */
export interface WatchWork {
  readonly kind: "watch";
  /** Default 30,000. A poll that takes longer is followed by the next at once. */
  readonly everyMs?: number;
  /** Whether agents begin at even distances over that time, or all at the same moment. Default `"spread"`. */
  readonly start?: "spread" | "together";
  /** Default 10. */
  readonly perRepository?: number;
  /** Calls on its own behalf after a change of its own: views of issues and pull requests and checks, by REST and GraphQL. Default 0. */
  readonly ownCallsPerChange?: number;
}

/** Each agent makes calls at random moments (Poisson), each without regard to the others. */
export interface CallWork {
  readonly kind: "calls";
  readonly perHour: number;
  /** Shares (0-1) of the calls, of which the rest are reads that always find something new. */
  readonly unchanged?: number;
  readonly writes?: number;
  readonly graphql?: number;
  /** Callers give up after this long. Default 60,000. */
  readonly maxWaitMs?: number;
}

export interface FleetGitHub {
  readonly limits?: Readonly<Partial<Record<ResourceName, Partial<ResourceLimit>>>>;
  readonly secondary?: false | Partial<SecondaryLimitOptions>;
  /** `false`: answers come at once. */
  readonly latency?: false | Partial<LatencyOptions>;
  readonly resetJitterMs?: number;
}

export interface HiddenUse {
  readonly resource: ResourceName;
  /** Mean units an hour, at random moments (Poisson). */
  readonly unitsPerHour: number;
}

/** Sessions whose pull request is pushed to, commented on or checked anew, in turn, at random moments. */
export type FleetChanges =
  | { readonly kind: "share" /** Of the sessions, per poll: 0 to 1. */; readonly sharePerPoll: number }
  | { readonly kind: "rate" /** In all, whatever the number of sessions. */; readonly perHour: number };

/** Something that happens to one process, counted from 0. */
export type FleetMishap =
  | { readonly kind: "kill"; readonly process: number; readonly atMs: number }
  /** SIGSTOP: its clocks go on. */
  | { readonly kind: "stop"; readonly process: number; readonly atMs: number; readonly forMs: number }
  /** Its machine sleeps: its monotonic clock stands still. */
  | { readonly kind: "suspend"; readonly process: number; readonly atMs: number; readonly forMs: number }
  /** The store answers nobody. */
  | { readonly kind: "store-away"; readonly atMs: number; readonly forMs: number };

/** Requests that fail as scripted during some time: by default all that match. */
export interface FleetFault {
  readonly atMs: number;
  readonly forMs: number;
  readonly fault: FaultKind;
  readonly method?: string;
  /** The source of a regular expression that path and query must match. */
  readonly pathPattern?: string;
  /** Strikes at most so often. */
  readonly times?: number;
  /** Strikes only every n-th matching request. */
  readonly every?: number;
}
