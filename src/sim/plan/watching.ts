import type { PlanAssumptions } from "./assumptions.js";
import type { CheckedWatch } from "./checked-scenario.js";
import type { PlanPolls } from "./scenario.js";

/** Agents that watch a pull request each, and how often. */
export interface Watching {
  readonly agents: number;
  readonly watch: CheckedWatch;
  readonly polls: PlanPolls;
  /** Whether what has not changed is free, and statuses are asked for only after changes. */
  readonly conditional: boolean;
  readonly processes: number;
  /** Of each agent, as fast as they go. */
  readonly pollsPerHour: number;
  /** Of each agent's pull request, from one poll to the next. */
  readonly changesPerPoll: number;
  readonly assume: PlanAssumptions;
}
