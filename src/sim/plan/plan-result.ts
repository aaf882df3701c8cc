import type { PlanClass } from "./classes.js";
import type { LimitUse, PlanLimitName } from "./limits.js";
import type { PlanUnits } from "./units.js";

/** What a fleet costs, and how many agents a token carries. Plain data; shares are 0 to 1, and more where it is too much. */
export interface Plan {
  /** Of the scenario, all kinds together. */
  readonly agents: number;
  /** What they cost if they go as fast as they are asked to. */
  readonly cost: PlanCost;
  /**
   * GitHub's limits and two of the client's own, the fullest first; `poll-time` comes last as long as polls are short enough.
   */
  readonly limits: readonly PlanLimit[];
  /** The fullest, which is the first to bind; of a scenario without agents, the one that would bind if there were many. */
  readonly binding: PlanLimit;
  /**
   * The most agents, in the proportions of the scenario, that use no limit by more than `assume.safeShare`: so many fit, and
   * one more does not. With plain clients, which do not wait, the `peak` of each limit has to fit into it as well.
   * `Infinity` if they use none of any limit.
   */
  readonly carries: number;
  /** The limit of which one more agent than `carries` would use too much; undefined if there is none. */
  readonly stopsAt: PlanLimitName | undefined;
  /**
   * How many times slower than asked polls and calls go, so that no limit is passed: 1 if none is, `Infinity` if others
   * leave nothing. Where calls are dropped rather than late, the part that is dropped is `1 - 1 / cycle`.
   */
  readonly cycle: number;
  /** What the classes get of the binding limit, P0 first; those that have agents. */
  readonly classes: readonly PlanClass[];
  /** The same in plain English, the most important first. */
  readonly explain: readonly string[];
}

/** How full a limit is, in numbers and in words. */
export interface PlanLimit extends LimitUse {
  readonly explain: string;
}

/** What a fleet sends and spends, in the mean. */
export interface PlanCost {
  /** REST requests and GraphQL queries, free ones included. */
  readonly requestsPerMinute: number;
  /** Of them, GraphQL queries. */
  readonly queriesPerMinute: number;
  /** Units of primary quota, without hidden use. */
  readonly unitsPerHour: PlanUnits;
  /** What comes on top once, because to first polls everything is new. */
  readonly startUnits: PlanUnits;
  /** What GitHub takes for the CPU time of all requests. */
  readonly answerMsPerMinute: number;
  readonly contentWritesPerHour: number;
}
