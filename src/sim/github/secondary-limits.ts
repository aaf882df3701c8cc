import type { Random } from "./random.js";
import type { SecondaryLimitOptions } from "./secondary-options.js";
import { type SecondaryPeak, SecondaryPeaks } from "./secondary-peaks.js";
import { SlidingSum } from "./sliding-sum.js";

/** Which secondary limit refused a request. */
export type SecondaryReason = "concurrency" | "endpoint" | "graphql" | "cpu" | "content" | "tokens";

/** What the limiter must know of a request. */
export interface SecondaryRequest {
  readonly principal: string;
  readonly kind: "rest" | "graphql";
  /** Method and route template, or method and path. */
  readonly endpoint: string;
  readonly points: number;
  readonly createsContent: boolean;
  readonly mintsToken: boolean;
}

/** The limiter's word: let in, or refused, and whether the client was already blocked when it sent. */
export type SecondaryVerdict =
  | { readonly kind: "pass" }
  | {
      readonly kind: "refuse";
      readonly reason: SecondaryReason;
      readonly whileBlocked: boolean;
      readonly clearsAt: number;
    };

interface PrincipalState {
  inFlight: number;
  readonly endpoints: Map<string, SlidingSum>;
  readonly graphql: SlidingSum;
  readonly cpu: SlidingSum;
  readonly graphqlCpu: SlidingSum;
  readonly contentMinute: SlidingSum;
  readonly contentHour: SlidingSum;
  readonly tokens: SlidingSum;
  peaks: SecondaryPeaks;
  /** Everything is refused until then. */
  blocked: { until: number; readonly reason: SecondaryReason } | undefined;
  /** Content-creating requests are refused until then. */
  contentBlockedUntil: number;
}

const PASS: SecondaryVerdict = { kind: "pass" };
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Keeps the secondary limits of every principal. Times are any clock's milliseconds, as long as it is always the same. */
export class SecondaryLimits {
  readonly #options: SecondaryLimitOptions | false;
  readonly #random: Random;
  readonly #principals = new Map<string, PrincipalState>();

  constructor(options: SecondaryLimitOptions | false, random: Random) {
    this.#options = options;
    this.#random = random;
  }

  get options(): SecondaryLimitOptions | false {
    return this.#options;
  }

  /** Counts a request that has arrived and says whether it may pass. Each one that arrived must `depart`. */
  arrive(request: SecondaryRequest, now: number): SecondaryVerdict {
    const state = this.#state(request.principal);
    state.inFlight++;
    const options = this.#options;
    if (options === false) return PASS;
    const standing = this.#standing(state, request, now, options);
    if (standing !== undefined) return standing;
    this.#count(state, request, now);
    note(state, request, now);
    const reason = exceeded(state, request, now, options);
    return reason === undefined ? PASS : this.#block(state, reason, now, options);
  }

  /** The request's answer has left, `tookMs` after it arrived. */
  depart(request: SecondaryRequest, tookMs: number, now: number, notModified: boolean): void {
    const state = this.#state(request.principal);
    state.inFlight--;
    if (this.#options === false) return;
    if (tookMs > 0) {
      state.cpu.add(tookMs, now);
      if (request.kind === "graphql") state.graphqlCpu.add(tookMs, now);
    }
    if (notModified && !this.#options.countNotModified && request.kind === "rest") {
      state.endpoints.get(request.endpoint)?.add(-request.points, now);
    }
  }

  /** Blocks a principal as if it had broken a limit. */
  block(principal: string, forMs: number, now: number): void {
    this.#state(principal).blocked = { until: now + forMs, reason: "endpoint" };
  }

  /** How full each limit was at its fullest; with `restart`, it is noted anew from now on. */
  peaks(principal: string, restart: boolean): readonly SecondaryPeak[] {
    const state = this.#state(principal);
    const { peaks } = state;
    if (restart) state.peaks = new SecondaryPeaks();
    return this.#options === false ? [] : peaks.against(this.#options);
  }

  clear(): void {
    for (const [principal, state] of this.#principals) {
      const { inFlight } = state;
      this.#principals.set(principal, { ...newState(), inFlight });
    }
  }

  #state(principal: string): PrincipalState {
    let state = this.#principals.get(principal);
    if (state === undefined) {
      state = newState();
      this.#principals.set(principal, state);
    }
    return state;
  }

  #standing(
    state: PrincipalState,
    request: SecondaryRequest,
    now: number,
    options: SecondaryLimitOptions,
  ): SecondaryVerdict | undefined {
    if (state.blocked !== undefined && now < state.blocked.until) {
      const penalty = options.growingPenalty;
      if (penalty !== false) {
        const longest = Math.max(state.blocked.until, now + penalty.maxMs);
        state.blocked.until = Math.min(state.blocked.until + penalty.perRequestMs, longest);
      }
      return { kind: "refuse", reason: state.blocked.reason, whileBlocked: true, clearsAt: state.blocked.until };
    }
    if (request.createsContent && now < state.contentBlockedUntil) {
      return { kind: "refuse", reason: "content", whileBlocked: true, clearsAt: state.contentBlockedUntil };
    }
    return undefined;
  }

  #count(state: PrincipalState, request: SecondaryRequest, now: number): void {
    if (request.kind === "graphql") state.graphql.add(request.points, now);
    else {
      let sum = state.endpoints.get(request.endpoint);
      if (sum === undefined) {
        sum = new SlidingSum(MINUTE_MS);
        state.endpoints.set(request.endpoint, sum);
      }
      sum.add(request.points, now);
    }
    if (request.createsContent) {
      state.contentMinute.add(1, now);
      state.contentHour.add(1, now);
    }
    if (request.mintsToken) state.tokens.add(1, now);
  }

  #block(
    state: PrincipalState,
    reason: SecondaryReason,
    now: number,
    options: SecondaryLimitOptions,
  ): SecondaryVerdict {
    const [shortest, longest] = options.recoveryMs;
    const until = now + shortest + this.#random() * (longest - shortest);
    if (reason === "content") state.contentBlockedUntil = until;
    else state.blocked = { until, reason };
    return { kind: "refuse", reason, whileBlocked: false, clearsAt: until };
  }
}

function newState(): PrincipalState {
  return {
    inFlight: 0,
    endpoints: new Map(),
    graphql: new SlidingSum(MINUTE_MS),
    cpu: new SlidingSum(MINUTE_MS),
    graphqlCpu: new SlidingSum(MINUTE_MS),
    contentMinute: new SlidingSum(MINUTE_MS),
    contentHour: new SlidingSum(HOUR_MS),
    tokens: new SlidingSum(HOUR_MS),
    peaks: new SecondaryPeaks(),
    blocked: undefined,
    contentBlockedUntil: 0,
  };
}

function exceeded(
  state: PrincipalState,
  request: SecondaryRequest,
  now: number,
  options: SecondaryLimitOptions,
): SecondaryReason | undefined {
  if (state.inFlight > options.concurrency) return "concurrency";
  if (request.kind === "graphql") {
    if (state.graphql.total(now) > options.graphqlPointsPerMinute) return "graphql";
    if (state.graphqlCpu.total(now) > options.graphqlCpuMsPerMinute) return "cpu";
  } else if ((state.endpoints.get(request.endpoint)?.total(now) ?? 0) > options.pointsPerEndpointPerMinute) {
    return "endpoint";
  }
  if (state.cpu.total(now) > options.cpuMsPerMinute) return "cpu";
  if (request.createsContent && state.contentMinute.total(now) > options.contentPerMinute) return "content";
  if (request.createsContent && state.contentHour.total(now) > options.contentPerHour) return "content";
  if (request.mintsToken && state.tokens.total(now) > options.tokensPerHour) return "tokens";
  return undefined;
}

/** What {@link exceeded} looks at, whether or not it is too much. */
function note(state: PrincipalState, request: SecondaryRequest, now: number): void {
  const { peaks } = state;
  peaks.note("concurrency", state.inFlight);
  peaks.note("response-time", state.cpu.total(now));
  if (request.kind === "graphql") {
    peaks.note("graphql-points", state.graphql.total(now));
    peaks.note("graphql-response-time", state.graphqlCpu.total(now));
  } else {
    peaks.noteEndpoint(request.endpoint, state.endpoints.get(request.endpoint)?.total(now) ?? 0);
  }
  if (request.createsContent) {
    peaks.note("content-per-minute", state.contentMinute.total(now));
    peaks.note("content-per-hour", state.contentHour.total(now));
  }
  if (request.mintsToken) peaks.note("tokens-per-hour", state.tokens.total(now));
}
