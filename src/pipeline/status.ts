import type { CacheOutcome } from "../call/cache-outcome.js";
import type { Forecast } from "../policy/forecast.js";
import type { Light, Priority } from "../policy/light.js";
import type { LimitParts } from "../policy/secondary.js";
import { endOfWindow, remaining } from "../policy/window.js";
import { type LeaseStatus, leaseStatus } from "../pool/lease-status.js";
import type { ListedMember } from "../pool/membership.js";
import type { PrincipalPool } from "../pool/principal-pool.js";
import type { StoreDescription } from "../store/store.js";
import type { TraceStatus } from "../trace/trace.js";
import type { Counters } from "./counters.js";
import type { Engine } from "./engine.js";
import type { TrackedWindow } from "./principal.js";
import type { ResponseTime, SecondaryGuard } from "./secondary-guard.js";
import type { WaitingCall } from "./waiting-room.js";

/** One resource's window, as far as this process knows. */
export interface WindowStatus {
  readonly limit: number | undefined;
  readonly used: number | undefined;
  readonly remaining: number | undefined;
  /** Units held by calls in flight. */
  readonly reserved: number;
  /** Epoch milliseconds, GitHub's clock; undefined while it is not known. */
  readonly resetAt: number | undefined;
  readonly light: Light;
  /** Whether its breaker holds less urgent calls back, or with a pool only says that it would. */
  readonly breaker: "closed" | "open" | "half-open";
  /** Where the pace of this window leads; undefined while too little is known, or nothing is used. */
  readonly forecast: Forecast | undefined;
  /** What this process holds of it; undefined when nobody shares it, or nothing has been sent. */
  readonly lease: LeaseStatus | undefined;
}

/** Who shares a principal's quota, as far as this process has heard. */
export interface PoolStatus {
  /** The principal's id, or the name that joins several. */
  readonly name: string;
  readonly members: readonly ListedMember[];
}

/** GitHub's secondary limits, which it does not tell, as far as this process counts them. */
export interface SecondaryStatus {
  /** Requests under way, and how many this process may have at once. */
  readonly underWay: number;
  readonly concurrent: number;
  /** Processes that share the limits. */
  readonly processes: number;
  /** This process's part (0-1) of the limits that processes divide by what each of them sends; 1 where nobody shares them. */
  readonly parts: LimitParts;
  /** What that comes to for the limit that pollers meet first. */
  readonly responseTime: ResponseTime | undefined;
  /**
   * What part (0-1) of the limits is used, after refusals that they do not explain: halved by each, and a sixteenth more
   * each minute.
   */
  readonly factor: number;
}

/** The store that agents share. */
export interface StoreStatus extends StoreDescription {
  /** `unknown`: the pool has not used it yet. */
  readonly state: "unknown" | "well" | "lost";
  /** What it failed with, and for how long, while it is lost. */
  readonly why: string | undefined;
  readonly lostMs: number;
}

/** One GitHub identity that owns a quota. */
export interface PrincipalStatus {
  /** A fingerprint, an app's ids, `app` or `anonymous`; never a credential. */
  readonly id: string;
  readonly host: string;
  readonly windows: Readonly<Record<string, WindowStatus>>;
  /** Until when nothing is sent after a secondary refusal, here or elsewhere; GitHub's time, epoch milliseconds. 0: no such time. */
  readonly cooldownUntil: number;
  /** Undefined where secondary limits are not minded. */
  readonly secondary: SecondaryStatus | undefined;
  /** Undefined when nobody shares its quota. */
  readonly pool: PoolStatus | undefined;
}

/** Everything a squad can tell about itself, as plain JSON. */
export interface SquadStatus {
  readonly enabled: boolean;
  readonly closed: boolean;
  readonly agent: string;
  readonly priority: Priority;
  readonly session: string | undefined;
  readonly principals: readonly PrincipalStatus[];
  /** Undefined without one. */
  readonly store: StoreStatus | undefined;
  /** Undefined when the cache is off. */
  readonly cache:
    | { readonly entries: number; readonly bytes: number; readonly outcomes: Readonly<Record<CacheOutcome, number>> }
    | undefined;
  /** The waiting room, in the order in which it will be served. */
  readonly waiting: readonly WaitingCall[];
  readonly counters: Readonly<Counters>;
  /** Undefined without one. */
  readonly trace: TraceStatus | undefined;
  /** Per host: GitHub's clock minus this machine's, in milliseconds. */
  readonly clockOffsetMs: Readonly<Record<string, number>>;
}

export function statusOf(engine: Engine): SquadStatus {
  const { options, quota, cache, room, counters } = engine;
  const principals: PrincipalStatus[] = [];
  const clockOffsetMs: Record<string, number> = {};
  for (const { id, host, windows, pool, cooldown, secondary } of quota.principals()) {
    const githubNow = quota.clocks.now(host);
    const entries = [...windows].map(([name, tracked]) => [name, windowStatus(engine, tracked, githubNow)] as const);
    principals.push({
      id,
      host,
      windows: Object.fromEntries(entries),
      cooldownUntil: cooldown.until(),
      secondary: secondary.counts ? secondaryStatus(secondary) : undefined,
      pool: pool && poolStatus(pool),
    });
    clockOffsetMs[host] = githubNow - engine.clock.now();
  }
  return {
    enabled: options.enabled,
    closed: engine.closed,
    agent: options.agent,
    priority: options.priority,
    session: options.session,
    principals,
    store: storeStatus(engine),
    cache: cache?.status(),
    waiting: room.list(),
    counters: { ...counters },
    trace: engine.trace.status(),
    clockOffsetMs,
  };
}

function poolStatus({ identity, membership }: PrincipalPool): PoolStatus {
  return { name: identity.name, members: membership.members() };
}

function secondaryStatus(guard: SecondaryGuard): SecondaryStatus {
  const { underWay, processes } = guard;
  return {
    underWay,
    concurrent: guard.concurrent(),
    processes,
    parts: guard.parts(),
    responseTime: guard.responseTime(),
    factor: guard.factor(),
  };
}

function storeStatus({ store, pool, clock }: Engine): StoreStatus | undefined {
  if (store === undefined) return undefined;
  const health = pool?.health ?? { kind: "unknown" };
  const lost = health.kind === "lost" ? health : undefined;
  return {
    ...store.describe(),
    state: health.kind,
    why: lost?.error.message,
    lostMs: lost === undefined ? 0 : Math.round(clock.monotonic() - lost.sinceMono),
  };
}

function windowStatus(engine: Engine, tracked: TrackedWindow, githubNow: number): WindowStatus {
  const { window, reservedUnits } = tracked;
  const left = remaining(window, githubNow);
  return {
    limit: window?.limit,
    used: window === undefined || left === undefined ? undefined : window.limit - left,
    remaining: left,
    reserved: reservedUnits,
    resetAt: window === undefined ? undefined : endOfWindow(window, githubNow),
    light: engine.quota.lightOf(tracked, githubNow),
    breaker: tracked.breaker.at(githubNow).kind,
    forecast: tracked.breaker.forecast(githubNow),
    lease: tracked.spender && leaseStatus(tracked.spender, githubNow),
  };
}
