import type { Priority } from "../../policy/light.js";
import type { FleetAgents, FleetScenario, FleetWork } from "../fleet/scenario.js";
import type { PlanAssumptions } from "./assumptions.js";
import type { PlanCredential } from "./credential-limits.js";

/**
 * What is to be planned, as plain data: agents, what they do, the credential they share and the client they use. Any
 * `FleetScenario` is one, and means the same fleet; what happens to a fleet in one run (`seed`, `warmUpMs`, `forMs`, times
 * at which agents come and go, mishaps, skew, rotation, faults) has no bearing on a plan.
 */
export interface PlanScenario extends Partial<Omit<FleetScenario, "agents">> {
  readonly agents: readonly PlanAgents[];
  /** Default `"squadRate"`. */
  readonly client?: PlanClient;
  /** With squadRate: who polls for agents that watch. Default `"repository"`. */
  readonly polls?: PlanPolls;
  /** Default `"user"`. `github.limits` has the last word on a resource. */
  readonly credential?: PlanCredential;
  /** What is taken for granted, where it differs from the defaults. */
  readonly assume?: Partial<PlanAssumptions>;
}

/**
 * How the agents ask. With `"squadRate"` a read that has not changed is free, and a pull request's status is asked for by
 * GraphQL only when something cheaper says that it has changed. With `"plain"` each agent asks for everything each time.
 */
export type PlanClient = "squadRate" | "plain";

/**
 * Who polls for agents that watch pull requests:
 * - `"agent"`: each for itself. It reads the repository's list, its pull request, check runs and review comments; the last
 *   two guard the status;
 * - `"repository"`: one for all agents of a repository. The same, but the list is read once;
 * - `"together"`: one for all agents of a process. Each repository's list and its review comments are read once, one
 *   GraphQL query looks at a hundred pull requests for one unit, and only what has changed is read and asked for.
 */
export type PlanPolls = "agent" | "repository" | "together";

/** Agents alike. */
export interface PlanAgents extends Partial<Omit<FleetAgents, "count" | "work">> {
  /** How many; 0 is fine. */
  readonly count: number;
  /** Default 1. */
  readonly priority?: Priority;
  readonly work: FleetWork | PlanWorkload;
}

/** What each agent does, by numbers an hour, all of them by one token. */
export interface PlanWorkload {
  readonly kind: "workload";
  /** REST reads. Default 0. */
  readonly readsPerHour?: number;
  /** Share (0-1) of the reads that find what was found before. Default 0. */
  readonly unchanged?: number;
  /** REST writes. Default 0. */
  readonly writesPerHour?: number;
  /** Of the writes, those that create content, such as comments. Default: all of them. */
  readonly contentWritesPerHour?: number;
  /** Searches but for those in code. Default 0. */
  readonly searchesPerHour?: number;
  /** GraphQL queries. Default 0. */
  readonly queriesPerHour?: number;
  /** GraphQL units of a query, as `octokit.squad.estimate` tells them. Default 1. */
  readonly unitsPerQuery?: number;
}
