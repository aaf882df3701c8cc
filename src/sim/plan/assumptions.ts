/** What a plan takes for granted. Everything can be set; the defaults are what the simulated GitHub does. */
export interface PlanAssumptions {
  /**
   * How much (above 0, to 1) of each limit a fleet may use. The rest is for what comes at once: a mean says nothing of a
   * bad minute. Default 0.9, or 0.8 with squadRate in several processes, each of which keeps a tenth of its part free.
   */
  readonly safeShare: number;
  /** Mean time to an answer of REST, in milliseconds. Default: the mean of the simulator's, 213. */
  readonly restAnswerMs: number;
  /** The same for GraphQL. Default 1,382. */
  readonly graphqlAnswerMs: number;
  /** GraphQL units of one pull request's status. Default 1. (25 in one query are 18.) */
  readonly statusUnits: number;
  /** How old a guarded status may become before it is asked for again although nothing changed. Default one hour. */
  readonly guardMaxAgeMs: number;
  /** Of the changes of pull requests, the share (0-1) that are pushes. Default a third. */
  readonly pushes: number;
  /** The share that are review comments; the others are new check runs. Default a third. */
  readonly comments: number;
  /** The share (0-1) of a workload's reads, and of its writes, that go to one endpoint. Default 0.5. */
  readonly busiestEndpoint: number;
}
