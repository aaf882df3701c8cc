import type { CacheOutcome } from "../call/cache-outcome.js";
import type { Light, Priority } from "../policy/light.js";
import { endOfWindow, remaining } from "../policy/window.js";
import type { Counters } from "./counters.js";
import type { Engine } from "./engine.js";
import type { TrackedWindow } from "./principal.js";
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
}

/** One GitHub identity that owns a quota. */
export interface PrincipalStatus {
  /** A fingerprint, an app's ids, `app` or `anonymous`; never a credential. */
  readonly id: string;
  readonly host: string;
  readonly windows: Readonly<Record<string, WindowStatus>>;
}

/** Everything a squad can tell about itself, as plain JSON. */
export interface SquadStatus {
  readonly enabled: boolean;
  readonly closed: boolean;
  readonly agent: string;
  readonly priority: Priority;
  readonly session: string | undefined;
  readonly principals: readonly PrincipalStatus[];
  /** Undefined when the cache is off. */
  readonly cache:
    | { readonly entries: number; readonly bytes: number; readonly outcomes: Readonly<Record<CacheOutcome, number>> }
    | undefined;
  /** The waiting room, in the order in which it will be served. */
  readonly waiting: readonly WaitingCall[];
  readonly counters: Readonly<Counters>;
  /** Per host: GitHub's clock minus this machine's, in milliseconds. */
  readonly clockOffsetMs: Readonly<Record<string, number>>;
}

export function statusOf(engine: Engine): SquadStatus {
  const { options, quota, cache, room, counters } = engine;
  const principals: PrincipalStatus[] = [];
  const clockOffsetMs: Record<string, number> = {};
  for (const { id, host, windows } of quota.principals()) {
    const githubNow = quota.clocks.now(host);
    const entries = [...windows].map(([name, tracked]) => [name, windowStatus(engine, tracked, githubNow)] as const);
    principals.push({ id, host, windows: Object.fromEntries(entries) });
    clockOffsetMs[host] = githubNow - engine.clock.now();
  }
  return {
    enabled: options.enabled,
    closed: engine.closed,
    agent: options.agent,
    priority: options.priority,
    session: options.session,
    principals,
    cache: cache?.status(),
    waiting: room.list(),
    counters: { ...counters },
    clockOffsetMs,
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
  };
}
