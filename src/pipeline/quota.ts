import { LRUCache } from "lru-cache";
import type { HeaderReader } from "../call/header-reader.js";
import type { PrimaryLimit } from "../call/outcome/limits.js";
import { parseRateHeaders } from "../call/rate-headers.js";
import type { Clock } from "../clock.js";
import { publish } from "../events.js";
import type { ResolvedLightOptions, ResolvedPacingOptions, ResolvedSecondaryOptions } from "../options.js";
import { unsaidWaitMs } from "../policy/cooldown.js";
import { lightOf } from "../policy/light.js";
import type { QuotaDocument } from "../policy/share/quota-document.js";
import { TURNOVER_GUARD_MS } from "../policy/share/windows.js";
import type { SeenQuota } from "../policy/share.js";
import { measuredWindowMs } from "../policy/spender.js";
import { endOfWindow, observe, type RateSeen, RESET_GUARD_MS, remaining } from "../policy/window.js";
import { lonelyCooldown } from "../pool/lonely-cooldown.js";
import { lonelyOperationCosts } from "../pool/lonely-operation-costs.js";
import type { Pool } from "../pool/pool.js";
import type { PoolSpender } from "../pool/pool-spender.js";
import { reportFault } from "./fault.js";
import { type Exchanged, GitHubClocks } from "./github-clocks.js";
import { hearFleet } from "./hear-fleet.js";
import { memberFacts } from "./member-facts.js";
import type { TrackedWindow } from "./principal.js";
import { Principal } from "./principal.js";
import { SecondaryGuard } from "./secondary-guard.js";

/** One answer, as far as quota is concerned. */
export interface Observation extends Exchanged {
  readonly principal: Principal;
  /** The resource that the request was expected to count against. */
  readonly expected: string;
  /** GitHub charged something for it. */
  readonly charged: boolean;
  readonly headers: HeaderReader;
  /** GitHub refused the request because the quota is used up, whatever its headers say. */
  readonly exhausted: Pick<PrimaryLimit, "resetAt" | "retryAfterMs"> | undefined;
}

/** What an answer's rate headers said, if anything that makes sense. */
export interface Observed {
  /** The resource that they name, if they name one. */
  readonly resource: string | undefined;
  readonly seen: SeenQuota | undefined;
  /** GitHub has refused it because the quota is used up, and gives none before: epoch milliseconds on its clock. */
  readonly refusedUntil: number | undefined;
}

/** What {@link Quota} is made with. */
export interface QuotaOptions {
  readonly clock: Clock;
  readonly light: ResolvedLightOptions | false;
  readonly breaker: boolean;
  readonly secondary: ResolvedSecondaryOptions | false;
  readonly pacing: ResolvedPacingOptions | false;
  /** The squad's own agent, and whose work its own needs. */
  readonly agent: string;
  readonly dependsOn: readonly string[];
  /** Whether calls of an agent wait, or it waits itself until it may begin work. */
  readonly isAwaited: (agent: string) => boolean;
  /** Undefined: nobody else spends of these quotas, or nobody tells. */
  readonly pool: Pool | undefined;
  /** Called when a window has more to give than was known, or nothing any more. */
  readonly onChange: () => void;
}

/** Tokens rotate hourly and tests make thousands; what is known of the least used is forgotten first. */
const MAX_PRINCIPALS = 1_000;
/** GitHub has about sixteen resources; more than this is a server that invents names. */
const MAX_RESOURCES = 64;

const SAID_NOTHING: Observed = { resource: undefined, seen: undefined, refusedUntil: undefined };

/** GitHub's longest window, and by how much clocks and resets may differ. A reset further ahead is a broken header. */
const FURTHEST_RESET_MS = 3_600_000 + 60_000;

/** What this process knows of every quota that it has seen. */
export class Quota {
  readonly clocks: GitHubClocks;
  readonly #options: QuotaOptions;
  readonly #principals: LRUCache<string, Principal>;
  /** Forgotten, but for the calls that still need them. */
  readonly #leaving = new Map<string, Principal>();

  constructor(options: QuotaOptions) {
    this.#options = options;
    this.clocks = new GitHubClocks(options.clock);
    this.#principals = new LRUCache<string, Principal>({
      max: MAX_PRINCIPALS,
      dispose: (principal, key) => {
        principal.forget();
        if (principal.pool === undefined) return;
        this.#leaving.set(key, principal);
        options.pool?.leave(principal.pool, () => this.#leaving.delete(key));
      },
    });
  }

  principal(host: string, id: string): Principal {
    const key = `${host} ${id}`;
    let principal = this.#principals.get(key) ?? this.#leaving.get(key);
    if (principal === undefined) {
      principal = this.#newPrincipal(host, id);
      this.#principals.set(key, principal);
    }
    return principal;
  }

  /** Every principal seen, most recently used first. */
  *principals(): Iterable<Principal> {
    yield* this.#principals.values();
    yield* this.#leaving.values();
  }

  /** This process's part in the quota of a window; undefined when nobody shares it. */
  spender(tracked: TrackedWindow): PoolSpender | undefined {
    if (tracked.spender === undefined && tracked.principal.pool !== undefined) {
      const { pool } = tracked.principal;
      tracked.spender = pool.open(tracked.resource, tracked.windowMs, (doc) => this.#hear(tracked, doc));
    }
    return tracked.spender;
  }

  /** Takes in what an answer's headers say. */
  observe(observation: Observation): Observed {
    const { principal, expected, charged, headers, exhausted, sentAt, receivedAt } = observation;
    const { host } = principal;
    this.clocks.observe(host, headers, observation);
    const rate = parseRateHeaders((name) => headers.get(name) ?? null);
    if (rate.kind === "none" && exhausted === undefined) return SAID_NOTHING;
    const named = rate.kind === "seen" ? rate.resource : undefined;
    const resource = named !== undefined && hasPlaceFor(principal, named) ? named : expected;
    const tracked = principal.window(resource);
    const githubNow = this.clocks.now(host);
    const githubSentAt = githubNow - (receivedAt - sentAt);
    const refusedUntil = exhausted && this.#refused(tracked, exhausted, githubSentAt, githubNow);
    const saidNothing: Observed = { resource: named, seen: undefined, refusedUntil };
    if (rate.kind === "none") return saidNothing;
    if (rate.kind === "nonsense") {
      reportFault(`GitHub's rate headers make no sense and are ignored: ${rate.why}`, undefined);
      return saidNothing;
    }
    if (named !== undefined && named !== resource) return saidNothing;
    // GitHub tells of no window that was over when the request was sent, nor of a longer one than an hour's.
    const isBelievable =
      rate.resetAt >= githubSentAt - TURNOVER_GUARD_MS && rate.resetAt <= githubNow + FURTHEST_RESET_MS;
    if (this.clocks.isKnown(host) && !isBelievable) return saidNothing;
    // An answer that cost nothing shows the same count late in a window as the one that opened it.
    const windowMs = charged ? measuredWindowMs(rate, githubSentAt, tracked.windowMs) : undefined;
    if (windowMs !== undefined) {
      tracked.windowMs = windowMs;
      tracked.spender?.measured(windowMs);
    }
    // One form of refusal comes with headers that promise what is not there.
    const told = exhausted === undefined ? rate : { ...rate, used: Math.max(rate.used, rate.limit), remaining: 0 };
    this.#takeIn(tracked, told, githubNow);
    const { limit, used, resetAt } = told;
    return { resource: named, seen: tracked.spender && { limit, used, resetAt, at: githubNow }, refusedUntil };
  }

  /** The light that GitHub's own numbers show; what calls in flight hold comes and goes too fast to be shown. */
  lightOf(tracked: TrackedWindow, githubNow: number): TrackedWindow["light"] {
    const { light } = this.#options;
    if (light === false) return "green";
    const { amberBelow, redBelow } = light;
    const thresholds = { amberBelow, redBelow, windowMs: tracked.windowMs };
    return lightOf(tracked.window, githubNow, thresholds, lightMode(light, tracked));
  }

  #newPrincipal(host: string, id: string): Principal {
    const { clocks } = this;
    const { clock, secondary, pacing, agent, dependsOn, isAwaited, onChange } = this.#options;
    const time = {
      now: () => clocks.now(host),
      known: () => clocks.isKnown(host),
      jumpMs: () => clocks.jumpMs(host),
    };
    const pool = this.#options.pool?.join(id, host, time, (name, priority) => {
      const isOwn = name === agent;
      const core = principal.windows.get("core");
      const githubNow = time.now();
      const told = {
        priority,
        dependsOn: isOwn ? dependsOn : [],
        waiting: isAwaited(name),
        light: core === undefined ? ("green" as const) : this.lightOf(core, githubNow),
      };
      return memberFacts(principal, told, githubNow);
    });
    const guard = new SecondaryGuard({
      secondary,
      pacing,
      content: pool?.content,
      sharedParts: pool?.secondaryParts,
      localNow: () => clocks.localTime(),
    });
    const principal: Principal = new Principal({
      id,
      host,
      pool,
      cooldown: pool?.cooldown ?? lonelyCooldown(host, id, time.now, onChange),
      secondary: guard,
      operationCosts: pool?.operationCosts ?? lonelyOperationCosts(host, id, clock, time),
      onBreaker: () => pool?.membership.changed(),
    });
    principal.forget = principal.cooldown.onBegin(({ unexplained }) => {
      if (unexplained) guard.tighten();
      pool?.membership.changed();
    });
    return principal;
  }

  /** GitHub gives nothing more before the window's end, as far as it tells or is known; returns when that is. */
  #refused(
    tracked: TrackedWindow,
    { resetAt, retryAfterMs }: Pick<PrimaryLimit, "resetAt" | "retryAfterMs">,
    githubSentAt: number,
    githubNow: number,
  ): number {
    const known = tracked.window === undefined ? undefined : endOfWindow(tracked.window, githubNow);
    const endsAt = resetAt ?? known;
    // An end that had passed when the request was sent tells nothing; one that has come since is an end.
    const isTold = endsAt !== undefined && endsAt + RESET_GUARD_MS > githubSentAt;
    const until = isTold ? endsAt + RESET_GUARD_MS : githubNow + (retryAfterMs || unsaidWaitMs(0));
    if (until > tracked.refusedUntil) {
      tracked.refusedUntil = until;
      tracked.refusedResetAt = isTold ? endsAt : undefined;
      // Who waits is told the new end, and so are those whose work depends on it.
      tracked.principal.pool?.membership.changed();
      this.#options.onChange();
    }
    return until;
  }

  /** The pool has seen more answers than this process. */
  #hear(tracked: TrackedWindow, doc: QuotaDocument): void {
    const { totalLimit, used, resetAt, windowMs } = doc;
    tracked.windowMs = windowMs;
    hearFleet(tracked, doc);
    if (resetAt === null || used < 1) return;
    const limit = tracked.window?.limit ?? totalLimit;
    const seen = { limit, used, remaining: Math.max(0, limit - used), resetAt };
    this.#takeIn(tracked, seen, this.clocks.now(tracked.principal.host));
  }

  #takeIn(tracked: TrackedWindow, seen: RateSeen, githubNow: number): void {
    const before = remaining(tracked.window, githubNow);
    tracked.window = observe(tracked.window, seen, githubNow);
    const after = remaining(tracked.window, githubNow);
    if (before !== undefined && after !== undefined && after > before) this.#options.onChange();
    if (this.#options.breaker) tracked.breaker.observe(githubNow);
    this.#publishLight(tracked, githubNow);
  }

  #publishLight(tracked: TrackedWindow, githubNow: number): void {
    if (this.#options.light === false || tracked.window === undefined) return;
    const from = tracked.light;
    const to = this.lightOf(tracked, githubNow);
    if (from === to) return;
    tracked.light = to;
    publish("squad-rate:light", () => ({
      principal: tracked.principal.id,
      resource: tracked.resource,
      from,
      to,
      remaining: remaining(tracked.window, githubNow) ?? 0,
      limit: tracked.window?.limit ?? 0,
    }));
  }
}

function hasPlaceFor({ windows }: Principal, resource: string): boolean {
  return windows.has(resource) || windows.size < MAX_RESOURCES;
}

/** The light's mode where nobody chose one: published thresholds for one process, gliding ones where a pool divides. */
export function lightMode({ mode }: ResolvedLightOptions, { principal }: TrackedWindow): "fixed" | "glide" {
  if (mode !== "auto") return mode;
  return principal.pool === undefined ? "fixed" : "glide";
}
