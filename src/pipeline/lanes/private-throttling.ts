import type { HookCollection } from "before-after-hook";
import type { LaneSpacing } from "../../policy/pacing.js";
import { NEUTRAL_ANSWER, type NeutralAnswer } from "./behind-plugin.js";

type Throttling = typeof import("@octokit/plugin-throttling")["throttling"];
type Bottleneck = import("bottleneck").default;

/** The packages that the first paced call loads. */
export interface ThrottlingPackages {
  readonly throttling: Throttling;
  readonly newCollection: () => HookCollection;
  /** Undefined where nothing is to be spaced. */
  readonly newLimiter: ((minTimeMs: number) => Bottleneck) | undefined;
}

/** A request as far as plugin-throttling looks at it: method in capitals, path below the API's root. */
export interface ThrottledRequest {
  readonly method: string;
  readonly url: string;
}

/** plugin-throttling on a hook collection of its own, with limiters of its own. */
export interface PrivateThrottling {
  enter(request: ThrottledRequest, start: () => Promise<NeutralAnswer>): Promise<unknown>;
  /** Lets go of whoever is held, with an error. */
  stop(): void;
}

/** Loads them. Without `timed` there is no limiter: Bottleneck runs on the machine's timers, and on no other clock. */
export async function loadThrottling(timed: boolean): Promise<ThrottlingPackages> {
  const [{ throttling }, { default: Hook }, limiters] = await Promise.all([
    import("@octokit/plugin-throttling"),
    import("before-after-hook"),
    timed ? import("bottleneck/light.js") : undefined,
  ]);
  const Limiter = limiters?.default;
  return {
    throttling,
    newCollection: () => new Hook.Collection(),
    newLimiter: Limiter && ((minTime) => new Limiter({ minTime })),
  };
}

/**
 * Registers plugin-throttling as core would, away from everybody else's. Its limiters for writes, notifications and
 * searches are made here. Those for concurrency, and the one that judges refusals and waits them out, are open passages,
 * because permits and the pipeline's judge do that.
 */
export function privateThrottling(packages: ThrottlingPackages, spacing: LaneSpacing, id: string): PrivateThrottling {
  const { throttling, newCollection, newLimiter } = packages;
  const limiters: Bottleneck[] = [];
  const spaced = (minTimeMs: number): Group => {
    if (newLimiter === undefined || !(minTimeMs > 0)) return OPEN_GROUP;
    const limiter = newLimiter(minTimeMs);
    limiters.push(limiter);
    return { key: () => limiter };
  };
  const hook = newCollection();
  const throttle = {
    id,
    write: spaced(spacing.writeMs),
    notifications: spaced(spacing.notificationMs),
    search: spaced(spacing.searchMs),
    global: OPEN_GROUP,
    auth: OPEN_GROUP,
    retryLimiter: UNJUDGED,
    Bottleneck: NO_SHARED_GROUPS,
    onRateLimit: () => false,
    onSecondaryRateLimit: () => false,
  };
  const octokit = { hook, log: { warn: () => undefined } };
  throttling(octokit as unknown as Parameters<Throttling>[0], { throttle } as unknown as Parameters<Throttling>[1]);
  // The first request through is the one that may be refused the process-wide groups, so a blank is sent ahead.
  const initialized = hook("request", () => NEUTRAL_ANSWER, { method: "GET", url: "/" }).catch(() => undefined);
  return {
    async enter(request, start) {
      await initialized;
      await hook("request", start, request);
    },
    stop() {
      for (const limiter of limiters) limiter.stop({ dropWaitingJobs: true }).catch(() => undefined);
    },
  };
}

/** What plugin-throttling asks of a Bottleneck group. */
interface Group {
  key(id: string): { schedule<A extends unknown[], R>(options: object, task: (...args: A) => R, ...args: A): unknown };
}

const OPEN_GROUP: Group = { key: () => ({ schedule: (_options, task, ...args) => task(...args) }) };

/** It never says "failed", which is when plugin-throttling would look at an error. */
const UNJUDGED = {
  schedule: <A extends unknown[], R>(task: (...args: A) => R, ...args: A): R => task(...args),
  on: () => undefined,
};

/**
 * At its first request in a process plugin-throttling makes groups for everybody who brings none, and for good: were it
 * ours, a host that comes later with a Redis connection or a timeout would not get them. It makes them only after it has
 * noted that it was here, and asks no more; so it is refused the first of them, and they remain for the host to make.
 */
const NO_SHARED_GROUPS = {
  Group: class {
    constructor() {
      throw new Error("squad-rate has limiters of its own");
    }
  },
  /** Where the groups are there already: its handlers for refusals, which none will reach. */
  Events: class {
    constructor(events: object) {
      Object.assign(events, { on: () => undefined });
    }
  },
};
