export type { SquadFetch, SquadRequestInit } from "./adapter/fetch.js";
export {
  type Batch,
  type BatchFailure,
  type BatchOptions,
  type BatchRequestOptions,
  type BatchResult,
  type BatchValue,
  type BatchVariable,
  GraphqlItemError,
  type GraphqlItemErrorEntry,
} from "./batch.js";
export type { CacheOutcome } from "./call/cache-outcome.js";
export type { OutcomeKind } from "./call/outcome.js";
export { type CancelTimer, type Clock, systemClock } from "./clock.js";
export { isSquadRateError, SquadRateError, type SquadRateErrorCode, type SquadRateErrorDetails } from "./errors.js";
export type {
  BreakerStateEvent,
  CallEvent,
  CallFacts,
  CooldownEvent,
  DecisionEvent,
  ExchangeEvent,
  FaultEvent,
  GrantedEvent,
  GuardEvent,
  LeaseEvent,
  LightEvent,
  PressureEvent,
  SquadRateEvents,
  StoreEvent,
} from "./events.js";
export type { QueryRejection } from "./graphql/estimate.js";
export type { Guarded, GuardedHow, GuardOptions, GuardRead, Guards } from "./guard.js";
export {
  type CacheOptions,
  type GraphqlOptions,
  type KeyvLike,
  type LightOptions,
  type PacingOptions,
  type PoolOptions,
  type Priority,
  type PriorityName,
  type RequestCacheOptions,
  type RetryOptions,
  type SecondaryOptions,
  type SquadOptions,
  type SquadRequestOptions,
  type StoreLike,
  squadRequest,
  type TraceFileOptions,
} from "./options.js";
export type { Counters } from "./pipeline/counters.js";
export type { CostEstimate } from "./pipeline/estimate-cost.js";
export type { ResponseTime } from "./pipeline/secondary-guard.js";
export type {
  PoolStatus,
  PrincipalStatus,
  SecondaryStatus,
  SquadStatus,
  StoreStatus,
  WindowStatus,
} from "./pipeline/status.js";
export type { WaitingCall } from "./pipeline/waiting-room.js";
export type { WorkVerdict } from "./pipeline/work.js";
export { type OctokitSquad, squadRate } from "./plugin.js";
export type { Forecast } from "./policy/forecast.js";
export type { Light } from "./policy/light.js";
export type { Member } from "./policy/membership.js";
export type { LimitParts } from "./policy/secondary/parts.js";
export type { Denial, ShareEvent } from "./policy/share/report.js";
export type { LeaseStatus, SharedStatus } from "./pool/lease-status.js";
export type { ListedMember } from "./pool/membership.js";
export { closeOnSignal, type StopListening } from "./squad/close-on-signal.js";
export type { Closeable, CloseOnSignalOptions, ClosingSignal } from "./squad/close-on-signal-options.js";
export { createSquad, type Squad } from "./squad.js";
export { openStore } from "./store/open-store.js";
export type { Atomicity, Store, StoreDescription, StoreKeyv, StoreOptions } from "./store/store.js";
export type { AttemptRecord, CallRecord, ReadingRecord, TraceFacts, TraceRate, TraceRecord } from "./trace/record.js";
export type { TraceCounts } from "./trace/sink.js";
export type { TraceStatus } from "./trace/trace.js";
export { VERSION } from "./version.js";
