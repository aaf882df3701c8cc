/**
 * A reverse proxy for GitHub's API on this machine, by which programs that know nothing of this package share one quota.
 *
 * @packageDocumentation
 */
export type { SquadFetch, SquadRequestInit } from "../adapter/fetch.js";
export type { CacheOutcome } from "../call/cache-outcome.js";
export type { OutcomeKind } from "../call/outcome.js";
export type { CancelTimer, Clock } from "../clock.js";
export type { QueryRejection } from "../graphql/estimate.js";
export {
  type CacheOptions,
  type GraphqlOptions,
  type KeyvLike,
  type LightOptions,
  type PacingOptions,
  type PoolOptions,
  type PriorityName,
  type RequestCacheOptions,
  type RetryOptions,
  type SecondaryOptions,
  type SquadOptions,
  type SquadRequestOptions,
  type StoreLike,
  squadRequest,
  type TraceFileOptions,
} from "../options.js";
export type { Counters } from "../pipeline/counters.js";
export type { CostEstimate } from "../pipeline/estimate-cost.js";
export type { ResponseTime } from "../pipeline/secondary-guard.js";
export type {
  PoolStatus,
  PrincipalStatus,
  SecondaryStatus,
  SquadStatus,
  StoreStatus,
  WindowStatus,
} from "../pipeline/status.js";
export type { WaitingCall } from "../pipeline/waiting-room.js";
export type { WorkVerdict } from "../pipeline/work.js";
export type { Forecast } from "../policy/forecast.js";
export type { Light, Priority } from "../policy/light.js";
export type { Member } from "../policy/membership.js";
export type { LimitParts } from "../policy/secondary/parts.js";
export type { LeaseStatus, SharedStatus } from "../pool/lease-status.js";
export type { ListedMember } from "../pool/membership.js";
export { createSquad, type Squad } from "../squad.js";
export type { Atomicity, StoreDescription } from "../store/store.js";
export type { AttemptRecord, CallRecord, ReadingRecord, TraceFacts, TraceRate, TraceRecord } from "../trace/record.js";
export type { TraceCounts } from "../trace/sink.js";
export type { TraceStatus } from "../trace/trace.js";
export {
  INJECTED_TOKEN,
  type ProxyClient,
  type ProxyClientOptions,
  type ProxyClientStatus,
  type ProxyOptions,
} from "./options.js";
export { createProxy } from "./proxy.js";
export type { Proxy, ProxyStatus } from "./surface.js";
