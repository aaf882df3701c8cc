import { EndpointPoints } from "./secondary/endpoint-points.js";
import { explainShortage } from "./secondary/explain-shortage.js";
import type { SecondaryLimitName } from "./secondary/limits.js";
import type { SecondaryCall, SecondaryScope } from "./secondary/scope.js";
import { longerShortage, type Shortage } from "./secondary/shortage.js";
import { SlidingSum } from "./secondary/sliding-sum.js";
import { BUCKETS_PER_HOUR, BUCKETS_PER_MINUTE, HOUR_BUCKET_MS, MINUTE_BUCKET_MS } from "./secondary/windows.js";

export { GITHUB_SECONDARY_LIMITS, type SecondaryLimitName } from "./secondary/limits.js";
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
 * Response time is known only afterwards: it stops the calls after the one that used it up.
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
  #underWay = 0;
  readonly #endpoints: EndpointPoints = new EndpointPoints();
  readonly #graphqlPoints: SlidingSum = minuteSum();
  readonly #contentMinute: SlidingSum = minuteSum();
  readonly #contentHour: SlidingSum = new SlidingSum(HOUR_BUCKET_MS, BUCKETS_PER_HOUR);
  readonly #responseMs: SlidingSum = minuteSum();
  readonly #graphqlResponseMs: SlidingSum = minuteSum();

  /** Requests under way. */
  get underWay(): number {
    return this.#underWay;
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
    this.#underWay++;
    if (call.api === "graphql") this.#graphqlPoints.add(call.points, now);
    else this.#endpoints.add(call.endpoint, call.points, now);
    if (!call.createsContent) return;
    this.#contentMinute.add(1, now);
    this.#contentHour.add(1, now);
  }

  /** Books the end of a call that was sent, however it went: it took `durationMs` from sending to its answer. */
  end(call: SecondaryCall, durationMs: number, now: number): void {
    this.#leave();
    if (!(durationMs > 0)) return;
    const tookMs = Math.min(LONGEST_RESPONSE_MS, Math.ceil(durationMs));
    this.#responseMs.add(tookMs, now);
    if (call.api === "graphql") this.#graphqlResponseMs.add(tookMs, now);
  }

  /** Takes back a call that was admitted and never sent, instead of `end`. `begunAt` is the `now` that `begin` was told. */
  undo(call: SecondaryCall, begunAt: number): void {
    this.#leave();
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
    const { limits, share } = scope;
    let nearest: SecondaryPressure = { fraction: this.#underWay / scope.concurrent, limit: "concurrent" };
    const look = (limit: SecondaryLimitName, used: number, most: number): void => {
      const fraction = used / Math.max(1, most);
      if (fraction > nearest.fraction) nearest = { fraction, limit };
    };
    look("points", this.#endpoints.most(now), limits.pointsPerMinute * share);
    look("graphql-points", this.#graphqlPoints.total(now), limits.graphqlPointsPerMinute * share);
    look("response-time", this.#responseMs.total(now), limits.responseMsPerMinute * share);
    look("graphql-response-time", this.#graphqlResponseMs.total(now), limits.graphqlResponseMsPerMinute * share);
    if (scope.content) {
      look("content-minute", this.#contentMinute.total(now), limits.contentPerMinute);
      look("content-hour", this.#contentHour.total(now), limits.contentPerHour);
    }
    return nearest;
  }

  #shortage(call: SecondaryCall, scope: SecondaryScope, now: number): Shortage | undefined {
    const { limits, factor } = scope;
    const part = scope.share * factor;
    let worst = this.#slotShortage(scope, now);
    if (call.api === "graphql") {
      const { points } = call;
      worst = longerShortage(
        worst,
        "graphql-points",
        this.#graphqlPoints,
        limits.graphqlPointsPerMinute * part,
        points,
        now,
      );
      const mostMs = limits.graphqlResponseMsPerMinute * part;
      worst = longerShortage(worst, "graphql-response-time", this.#graphqlResponseMs, mostMs, 1, now);
    } else {
      const sum = this.#endpoints.of(call.endpoint);
      worst = longerShortage(worst, "points", sum, limits.pointsPerMinute * part, call.points, now);
    }
    worst = longerShortage(worst, "response-time", this.#responseMs, limits.responseMsPerMinute * part, 1, now);
    if (!call.createsContent || !scope.content) return worst;
    worst = longerShortage(worst, "content-minute", this.#contentMinute, limits.contentPerMinute * factor, 1, now);
    return longerShortage(worst, "content-hour", this.#contentHour, limits.contentPerHour * factor, 1, now);
  }

  #slotShortage({ concurrent, factor }: SecondaryScope, now: number): Shortage | undefined {
    const most = Math.max(1, Math.floor(concurrent * factor));
    if (this.#underWay < most) return undefined;
    return { limit: "concurrent", used: this.#underWay, most, untilAt: now + ASK_AGAIN_MS };
  }

  #leave(): void {
    this.#underWay = Math.max(0, this.#underWay - 1);
  }
}

function minuteSum(): SlidingSum {
  return new SlidingSum(MINUTE_BUCKET_MS, BUCKETS_PER_MINUTE);
}
