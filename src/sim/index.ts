export type { CacheOutcome } from "../call/cache-outcome.js";
export type { OutcomeKind } from "../call/outcome.js";
export type { CancelTimer, Clock } from "../clock.js";
export type {
  CacheOptions,
  GraphqlOptions,
  KeyvLike,
  LightOptions,
  PacingOptions,
  PoolOptions,
  PriorityName,
  RetryOptions,
  SecondaryOptions,
  SquadOptions,
  StoreLike,
  TraceFileOptions,
} from "../options.js";
export type { Priority } from "../policy/light.js";
export type { AttemptRecord, CallRecord, ReadingRecord, TraceFacts, TraceRate, TraceRecord } from "../trace/record.js";
export type {
  FleetAgent,
  FleetCall,
  FleetClient,
  FleetClientFactory,
  FleetSeat,
} from "./fleet/client.js";
export type { CheckRuns, FleetSession, ListedPull, PollNeeds, Pull } from "./fleet/needs.js";
export { type PullAnswer, type PullStatus, STATUS_FRAGMENT, STATUS_QUERY, statusOf } from "./fleet/pull-status.js";
export type * from "./fleet/report.js";
export { type FleetProgress, type RunFleetOptions, runFleet } from "./fleet/run-fleet.js";
export type * from "./fleet/scenario.js";
export {
  type OversubscribedFleetShape,
  oversubscribedFleet,
  type ReactiveFleetShape,
  reactiveFleet,
  type WatchFleetShape,
  watchFleet,
} from "./fleet/scenarios.js";
export { createSquadClient, type SquadClientOptions } from "./fleet/squad-client.js";
export { createFleetTime, type FleetTime } from "./fleet/time.js";
export type { SimulatedExchange } from "./github/exchange-log.js";
export type { FaultHandle, FaultKind, FaultMatch, FaultScript } from "./github/faults.js";
export type { LatencyOptions } from "./github/latency.js";
export type { LedgerEntry } from "./github/ledger.js";
export type { Listening, ListenOptions } from "./github/listening.js";
export type { ExchangeListener, SimulatedGitHubOptions } from "./github/options.js";
export { GITHUB_LIMITS, type ResourceLimit, type ResourceName } from "./github/resource.js";
export type { SecondaryReason } from "./github/secondary-limits.js";
export type { SecondaryLimitOptions } from "./github/secondary-options.js";
export type { SecondaryLimitName, SecondaryPeak } from "./github/secondary-peaks.js";
export { createSimulatedGitHub } from "./github/simulated-github.js";
export type { QuotaUsage, SimulatedGitHub } from "./github/surface.js";
export type { NewInstallation, NewTokenOptions, NewUser } from "./github/world/accounts.js";
export type { CredentialKind, TokenLimits } from "./github/world/credentials.js";
export type { CheckConclusion, CheckStatus, Permission, ReviewState, StateReason } from "./github/world/entities.js";
export type { IssueChange, NewCheckRun, NewIssue, NewPullRequest } from "./github/world/issues.js";
export { type PopulateOptions, populateWorld } from "./github/world/populate.js";
export type { NewCommit, NewRepository, RepositoryChange } from "./github/world/repositories.js";
export type { InRepository, OnIssue, SimulatedWorld } from "./github/world/world.js";
export type { PlanAssumptions } from "./plan/assumptions.js";
export type { PlannedResource } from "./plan/checked-scenario.js";
export type { PlanClass } from "./plan/classes.js";
export type { PlanCredential } from "./plan/credential-limits.js";
export type { LimitUse, PlanLimitName } from "./plan/limits.js";
export { plan } from "./plan/plan.js";
export type { Plan, PlanCost, PlanLimit } from "./plan/plan-result.js";
export type { PlanAgents, PlanClient, PlanPolls, PlanScenario, PlanWorkload } from "./plan/scenario.js";
export type { PlanUnits } from "./plan/units.js";
export { createVirtualClock, type VirtualClock, type VirtualClockOptions } from "./virtual-clock.js";
