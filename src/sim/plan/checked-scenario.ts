import type { Priority } from "../../policy/light.js";
import type { ResourceName } from "../github/resource.js";
import type { SecondaryLimitOptions } from "../github/secondary-options.js";
import type { PlanAssumptions } from "./assumptions.js";
import type { PlanClient, PlanPolls, PlanWorkload } from "./scenario.js";

/** A scenario that has been checked, its defaults filled in, and all that has no bearing on a plan left out. */
export interface CheckedScenario {
  readonly agents: readonly CheckedAgents[];
  readonly client: PlanClient;
  /** Whether what has not changed is free, and statuses are asked for only after changes. */
  readonly conditional: boolean;
  /** Whether several processes of a squad divide what GitHub allows in a minute. */
  readonly dividesLimits: boolean;
  readonly polls: PlanPolls;
  readonly processes: number;
  readonly changes: CheckedChanges;
  /** Units an hour that somebody else spends. */
  readonly hidden: Readonly<Partial<Record<ResourceName, number>>>;
  readonly quotas: Readonly<Record<PlannedResource, Quota>>;
  /** `false`: GitHub has none. */
  readonly secondary: false | SecondaryLimitOptions;
  readonly assume: PlanAssumptions;
  /** How unevenly answers take their time: the squared deviation of one, as a part of its squared mean. */
  readonly answerSpread: number;
}

/** The resources that a plan knows demand for. */
export type PlannedResource = "core" | "search" | "graphql";
export const PLANNED_RESOURCES: readonly PlannedResource[] = ["core", "search", "graphql"];

export interface Quota {
  readonly limit: number;
  readonly windowMs: number;
}

export interface CheckedAgents {
  readonly count: number;
  readonly priority: Priority;
  readonly work: CheckedWatch | CheckedWorkload;
}

export interface CheckedWatch {
  readonly kind: "watch";
  readonly everyMs: number;
  readonly perRepository: number;
  readonly ownCallsPerChange: number;
}

export interface CheckedWorkload extends Required<PlanWorkload> {
  /** Shares (0-1) of the reads, and of the writes, that go to one endpoint. */
  readonly busiestRead: number;
  readonly busiestWrite: number;
}

export type CheckedChanges =
  | { readonly kind: "share"; readonly sharePerPoll: number }
  | { readonly kind: "rate"; readonly perHour: number };
