import type { ConditionalCache } from "../cache/conditional-cache.js";
import type { FingerprintMemo } from "../call/fingerprint.js";
import type { Identifier } from "../call/identify.js";
import type { Clock } from "../clock.js";
import type { ResolvedOptions, ResolvedRequestOptions } from "../options.js";
import type { RetryBudget } from "../policy/retry-budget.js";
import type { Pool } from "../pool/pool.js";
import type { DeferredStore } from "../store/deferred-store.js";
import type { Trace } from "../trace/trace.js";
import type { Changes } from "./changes.js";
import type { Counters } from "./counters.js";
import type { GraphqlDesk } from "./graphql-desk.js";
import type { Kept } from "./kept.js";
import type { PacedLane } from "./lanes/paced-lane.js";
import type { RetryLane } from "./lanes/retry-lane.js";
import type { Quota } from "./quota.js";
import type { RequestDeadlines } from "./request-deadlines.js";
import type { UnderWay } from "./under-way.js";
import type { WaitingRoom } from "./waiting-room.js";
import type { Work } from "./work.js";

/** The rooms of one squad, built once and handed to the pipeline. */
export interface Engine {
  readonly options: ResolvedOptions;
  readonly requestDefaults: ResolvedRequestOptions;
  readonly clock: Clock;
  /** Undefined when the cache is switched off. */
  readonly cache: ConditionalCache | undefined;
  readonly store: DeferredStore | undefined;
  /** Undefined when no other process shares quota with this one. */
  readonly pool: Pool | undefined;
  readonly quota: Quota;
  readonly room: WaitingRoom;
  /** Fingerprints of tokens, by Authorization header: whose quota it is. */
  readonly tokens: FingerprintMemo;
  /** Fingerprints of all that tells GitHub who asks: whose answers they are. */
  readonly credentials: FingerprintMemo;
  readonly identifier: Identifier;
  /** Undefined where no document is read. */
  readonly graphql: GraphqlDesk | undefined;
  readonly counters: Counters;
  readonly trace: Trace;
  readonly underWay: UnderWay;
  readonly deadlines: RequestDeadlines;
  readonly pacedLane: PacedLane;
  readonly retryLane: RetryLane;
  readonly changes: Changes;
  readonly kept: Kept<Engine>;
  /** Made when somebody asks whether work may begin, or at once where it depends on others. */
  work: Work | undefined;
  /** What this process may still try again. */
  retryBudget: RetryBudget;
  /** What whoever runs the program should know, until a call comes whose client has a log. */
  readonly warnings: string[];
  /** Whoever runs the program has been told that the host has plugin-throttling as well. */
  toldOfThrottling: boolean;
  /** Nothing more is sent. */
  closed: boolean;
  /** While the rooms are being closed: until then calls are held rather than refused. */
  closing: Promise<void> | undefined;
}
