import { EndpointPoints } from "./secondary/endpoint-points.js";
import { type ExpectedResponse, FIRST_QUERIES, FIRST_READS, learnResponse } from "./secondary/expected-response.js";
import { explainShortage } from "./secondary/explain-shortage.js";
import type { MinuteUse } from "./secondary/fleet-use.js";
import type { SecondaryLimitName } from "./secondary/limits.js";
import { NO_USE } from "./secondary/parts.js";
import type { SecondaryCall, SecondaryScope } from "./secondary/scope.js";
import { longerShortage, type Shortage } from "./secondary/shortage.js";
import { SlidingSum } from "./secondary/sliding-sum.js";
import {
  BUCKETS_PER_HOUR,
  BUCKETS_PER_MINUTE,
  DIVIDED_RESPONSE_BUCKETS,
  HOUR_BUCKET_MS,
  MINUTE_BUCKET_MS,
  RESPONSE_BUCKET_MS,
  RESPONSE_BUCKETS_PER_MINUTE,
} from "./secondary/windows.js";

export type { MinuteUse } from "./secondary/fleet-use.js";
export { GITHUB_SECONDARY_LIMITS, type SecondaryLimitName } from "./secondary/limits.js";
export { type LimitParts, WHOLE } from "./secondary/parts.js";
export type { SecondaryCall, SecondaryScope } from "./secondary/scope.js";

/** `untilAt` (epoch milliseconds) is when asking again can help; `why` says what is used of which limit. */
export type SecondaryWord =
  | { readonly kind: "go" }
  | {
      readonly kind: "wait";
      readonly limit: SecondaryLimitName;
      readonly untilAt: number;
      readonly why: string;
    };

/** How near a principal is to its nearest limit. */
export interface SecondaryPressure {
  /** The share of the limit in use: 0 is none, 1 all of it; may be more. */
  readonly fraction: number;
  readonly limit: SecondaryLimitName;
}

const GO: SecondaryWord = Object.freeze({ kind: "go" });

/** When a place comes free is not known. Whoever waits is told of it, so this is only how often to ask in vain. */
const ASK_AGAIN_MS = 1_000;

/** GitHub's response-time limits are per minute, and of a longer answer no more than a minute lies within the last one. */
const LONGEST_RESPONSE_MS = 60_000;

/**
 * What this process has used of one principal's secondary limits. GitHub does not tell (there are no headers), so it is
 * counted here. Every `now` is epoch milliseconds on one clock, which may step back a little.
 *
 * `decide` says whether a call may go and changes nothing; `begin` and `end`, or `undo`, book one that went. Never more is
 * let through than a limit allows, in whatever 60 s or 3,600 s; at most a thirtieth of a limit is left unused for it.
 * Response time is known only afterwards: a request under way counts for as long as such requests took of late, and a call
 * goes while there is room for half of its own, so that on the whole neither more nor less is used than there is.
 *
 * A limit always has room for one call when nothing is counted, however small the share and the factor: it could not be
 * made any smaller by waiting.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
 *
 * @example
 * ```ts
 * const use = new SecondaryUse();
 * const call: SecondaryCall = { api: "rest", endpoint: "GET /user", points: 1, createsContent: false };
 * if (use.decide(call, scope, now).kind === "go") {
 *   use.begin(call, now);
 *   // … 120 ms later
 *   use.end(call, 120, now + 120);
 * }
 * ```
 */
export class SecondaryUse {
  #reads = 0;
  #queries = 0;
  #readMs: ExpectedResponse = FIRST_READS;
  #queryMs: ExpectedResponse = FIRST_QUERIES;
  #total: MinuteUse = NO_USE;
  readonly #endpoints: EndpointPoints = new EndpointPoints();
  readonly #graphqlPoints: SlidingSum = minuteSum();
  readonly #contentMinute: SlidingSum = minuteSum();
  readonly #contentHour: SlidingSum = new SlidingSum(HOUR_BUCKET_MS, BUCKETS_PER_HOUR);
  readonly #responseMs: SlidingSum = responseSum();
  readonly #graphqlResponseMs: SlidingSum = responseSum();
  readonly #steadyMs: SlidingSum = dividedSum();
  readonly #graphqlSteadyMs: SlidingSum = dividedSum();

  /** Requests under way. */
  get underWay(): number {
    return this.#reads + this.#queries;
  }

  /** Everything that was ever begun and not undone. Its response time is what such answers took of late, so that it is steady. */
  get total(): MinuteUse {
    return this.#total;
  }

  /** Milliseconds that answers of the last minute took. */
  responseMs(now: number): number {
    return this.#responseMs.total(now);
  }

  /** Milliseconds that an answer is expected to take. */
  expectedMs(api: SecondaryCall["api"]): number {
    return api === "graphql" ? this.#queryMs.ms : this.#readMs.ms;
  }

  /** Whether a call may go now; of several limits without room, the word is of the one that takes longest. */
  decide(call: SecondaryCall, scope: SecondaryScope, now: number): SecondaryWord {
    const shortage = this.#shortage(call, scope, now);
    if (shortage === undefined) return GO;
    const { limit, untilAt } = shortage;
    return { kind: "wait", limit, untilAt, why: explainShortage(shortage, call, scope) };
  }

  /** Books a call at the moment of its admission. Content writes are counted wherever the scope's are. */
  begin(call: SecondaryCall, now: number): void {
    if (call.api === "graphql") this.#queries++;
    else this.#reads++;
    this.#count(call, 1);
    if (call.api === "graphql") this.#graphqlPoints.add(call.points, now);
    else this.#endpoints.add(call.endpoint, call.points, now);
    if (!call.createsContent) return;
    this.#contentMinute.add(1, now);
    this.#contentHour.add(1, now);
  }

  /** Books the end of a call that was sent, however it went: it took `durationMs` from sending to its answer. */
  end(call: SecondaryCall, durationMs: number, now: number): void {
    this.#leave(call);
    if (!(durationMs > 0)) return;
    const tookMs = Math.min(LONGEST_RESPONSE_MS, Math.ceil(durationMs));
    this.#responseMs.add(tookMs, now);
    if (call.api === "graphql") this.#queryMs = learnResponse(this.#queryMs, tookMs);
    else this.#readMs = learnResponse(this.#readMs, tookMs);
    const steadyMs = Math.round(this.expectedMs(call.api));
    this.#steadyMs.add(steadyMs, now);
    if (call.api === "graphql") {
      this.#graphqlResponseMs.add(tookMs, now);
      this.#graphqlSteadyMs.add(steadyMs, now);
      this.#total = { ...this.#total, graphqlMs: this.#total.graphqlMs + steadyMs };
    } else {
      this.#total = { ...this.#total, restMs: this.#total.restMs + steadyMs };
    }
  }

  /** Takes back a call that was admitted and never sent, instead of `end`. `begunAt` is the `now` that `begin` was told. */
  undo(call: SecondaryCall, begunAt: number): void {
    this.#leave(call);
    this.#count(call, -1);
    const points = call.api === "graphql" ? this.#graphqlPoints : this.#endpoints.of(call.endpoint);
    points.takeBack(call.points, begunAt);
    if (!call.createsContent) return;
    this.#contentMinute.takeBack(1, begunAt);
    this.#contentHour.takeBack(1, begunAt);
  }

  /**
   * How much of its nearest limit is in use, to tell whether a refusal is explained by what is known. Measured against the
   * limits before they are tightened: GitHub refuses by its own, so a refusal at half of those is as much of a riddle
   * while this process holds itself to half.
   */
  pressure(scope: SecondaryScope, now: number): SecondaryPressure {
    const { limits, parts } = scope;
    let nearest: SecondaryPressure = { fraction: this.underWay / scope.concurrent, limit: "concurrent" };
    const look = (limit: SecondaryLimitName, used: number, most: number): void => {
      const fraction = used / Math.max(1, most);
      if (fraction > nearest.fraction) nearest = { fraction, limit };
    };
    look("points", this.#endpoints.most(now), limits.pointsPerMinute * parts.points);
    look("graphql-points", this.#graphqlPoints.total(now), limits.graphqlPointsPerMinute * parts.graphqlPoints);
    look("response-time", this.#responseMs.total(now), limits.responseMsPerMinute * parts.responseMs);
    const queryMs = limits.graphqlResponseMsPerMinute * parts.graphqlResponseMs;
    look("graphql-response-time", this.#graphqlResponseMs.total(now), queryMs);
    if (scope.content) {
      look("content-minute", this.#contentMinute.total(now), limits.contentPerMinute);
      look("content-hour", this.#contentHour.total(now), limits.contentPerHour);
    }
    return nearest;
  }

  #shortage(call: SecondaryCall, { limits, parts, ...scope }: SecondaryScope, now: number): Shortage | undefined {
    const { factor } = scope;
    const { points, api } = call;
    // Half of it: as often as too much was let go, too little was.
    const halfMs = Math.ceil(this.expectedMs(api) / 2);
    const queriesMs = Math.ceil(this.#queries * this.#queryMs.ms);
    const underWayMs = queriesMs + Math.ceil(this.#reads * this.#readMs.ms);
    let worst = this.#slotShortage(scope, now);
    const look = (limit: SecondaryLimitName, sum: SlidingSum, allowed: number, amount: number, pending = 0): void => {
      worst = longerShortage(worst, { limit, sum, pending, allowed: allowed * factor, amount }, now);
    };
    if (api === "graphql") {
      look("graphql-points", this.#graphqlPoints, limits.graphqlPointsPerMinute * parts.graphqlPoints, points);
      const mostMs = limits.graphqlResponseMsPerMinute * parts.graphqlResponseMs;
      const sum = scope.divided ? this.#graphqlSteadyMs : this.#graphqlResponseMs;
      look("graphql-response-time", sum, mostMs, halfMs, queriesMs);
    } else {
      look("points", this.#endpoints.of(call.endpoint), limits.pointsPerMinute * parts.points, points);
    }
    const mostMs = limits.responseMsPerMinute * parts.responseMs;
    look("response-time", scope.divided ? this.#steadyMs : this.#responseMs, mostMs, halfMs, underWayMs);
    if (!call.createsContent || !scope.content) return worst;
    look("content-minute", this.#contentMinute, limits.contentPerMinute, 1);
    look("content-hour", this.#contentHour, limits.contentPerHour, 1);
    return worst;
  }

  #slotShortage(
    { concurrent, factor }: Pick<SecondaryScope, "concurrent" | "factor">,
    now: number,
  ): Shortage | undefined {
    const most = Math.max(1, Math.floor(concurrent * factor));
    const used = this.underWay;
    return used < most ? undefined : { limit: "concurrent", used, most, untilAt: now + ASK_AGAIN_MS };
  }

  #count({ api, points }: SecondaryCall, times: 1 | -1): void {
    const { requests, restPoints, graphqlPoints, ...rest } = this.#total;
    this.#total = {
      ...rest,
      requests: requests + times,
      restPoints: restPoints + (api === "rest" ? times * points : 0),
      graphqlPoints: graphqlPoints + (api === "graphql" ? times * points : 0),
    };
  }

  #leave({ api }: SecondaryCall): void {
    if (api === "graphql") this.#queries = Math.max(0, this.#queries - 1);
    else this.#reads = Math.max(0, this.#reads - 1);
  }
}

function minuteSum(): SlidingSum {
  return new SlidingSum(MINUTE_BUCKET_MS, BUCKETS_PER_MINUTE);
}

function dividedSum(): SlidingSum {
  return new SlidingSum(RESPONSE_BUCKET_MS, DIVIDED_RESPONSE_BUCKETS);
}

function responseSum(): SlidingSum {
  return new SlidingSum(RESPONSE_BUCKET_MS, RESPONSE_BUCKETS_PER_MINUTE);
}
