import type { Clock } from "../clock.js";
import type { LaneSpacing } from "../policy/pacing.js";
import type { SecondaryLimits } from "../policy/secondary/limits.js";
import type { TraceRecord } from "../trace/record.js";
import type { KeyvLike, Priority, StoreLike } from "./types.js";

/** `CacheOptions` with everything filled in. */
export interface ResolvedCacheOptions {
  readonly freshForMs: number;
  readonly maxStaleMs: number;
  readonly maxEntryBytes: number;
  readonly maxBytes: number;
  readonly store: boolean;
  readonly storeTtlMs: number;
}

/** `LightOptions` with everything filled in. */
export interface ResolvedLightOptions {
  /** `auto`: fixed where nobody shares the quota; where a pool divides it, gliding and only reporting. */
  readonly mode: "auto" | "fixed" | "glide";
  readonly amberBelow: number;
  readonly redBelow: number;
  readonly emergencyReserveUnits: number;
}

/** `PoolOptions` with everything filled in. */
export interface ResolvedPoolOptions {
  readonly name: string | undefined;
  readonly share: "lend" | "fixed";
  readonly mirror: string | undefined;
}

/** `RetryOptions` with everything filled in. */
export interface ResolvedRetryOptions {
  readonly limit: number;
}

/** `SecondaryOptions` with everything filled in. */
export type ResolvedSecondaryOptions = SecondaryLimits;

/** `GraphqlOptions` with everything filled in. */
export interface ResolvedGraphqlOptions {
  readonly capture: boolean;
}

/** `PacingOptions` with everything filled in. */
export type ResolvedPacingOptions = LaneSpacing;

/** A trace file with everything filled in. */
export interface ResolvedTraceFile {
  readonly kind: "file";
  readonly file: string;
  readonly maxBytes: number;
  readonly keep: number;
}

/** Where a trace goes, with everything filled in. */
export type ResolvedTraceOptions =
  | ResolvedTraceFile
  | { readonly kind: "function"; readonly take: (record: TraceRecord) => unknown };

/** `SquadOptions`, checked and with everything filled in; `false` is a part that is off. */
export interface ResolvedOptions {
  readonly enabled: boolean;
  readonly agent: string;
  readonly priority: Priority;
  readonly session: string | undefined;
  /** A Keyv, an opened store, or the URI of a store to open. */
  readonly store: KeyvLike | StoreLike | string | undefined;
  readonly storeTimeoutMs: number;
  readonly maxWaitMs: number;
  readonly cache: ResolvedCacheOptions | false;
  readonly light: ResolvedLightOptions | false;
  /** Without a store there is nothing to share through, whatever this says. */
  readonly pool: ResolvedPoolOptions | false;
  readonly requestTimeoutMs: number;
  readonly retry: ResolvedRetryOptions | false;
  readonly breaker: boolean;
  readonly secondary: ResolvedSecondaryOptions | false;
  readonly pacing: ResolvedPacingOptions | false;
  readonly graphql: ResolvedGraphqlOptions | false;
  readonly dependsOn: readonly string[];
  readonly trace: ResolvedTraceOptions | false;
  readonly clock: Clock;
  readonly random: () => number;
  /** Undefined: the global `fetch`, looked up at each call. */
  readonly fetch: typeof globalThis.fetch | undefined;
}

/** `SquadRequestOptions`, checked and with everything filled in. */
export interface ResolvedRequestOptions {
  readonly agent: string;
  readonly priority: Priority;
  readonly emergency: boolean;
  readonly session: string | undefined;
  readonly operation: string | undefined;
  readonly maxWaitMs: number;
  /** How often it is tried again at most; 0 where the squad's retries are off. */
  readonly retries: number;
  readonly cache: ResolvedRequestCache;
}

/** What one call asks of the cache. `revalidate` and `bypass` come with both durations 0. */
export interface ResolvedRequestCache {
  readonly mode: "use" | "revalidate" | "bypass";
  readonly freshForMs: number;
  readonly maxStaleMs: number;
}
