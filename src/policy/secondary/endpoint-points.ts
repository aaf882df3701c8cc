import { SlidingSum } from "./sliding-sum.js";
import { BUCKETS_PER_MINUTE, MINUTE_BUCKET_MS } from "./windows.js";

/** GitHub has some 1,200 endpoints, methods and templates taken together, and few clients use a tenth of them. */
export const MAX_ENDPOINTS = 2_000;

const FORGET_EVERY_MS = 60_000;

/** The points of the last minute by REST endpoint. Mutable; idle endpoints are forgotten. */
export class EndpointPoints {
  readonly #byEndpoint = new Map<string, SlidingSum>();
  /** Of all endpoints that found no place, together: for each of them it is at least as much as it used. */
  readonly #others: SlidingSum = minuteSum();
  #forgotAt = 0;

  /** How many endpoints are known one by one; at most {@link MAX_ENDPOINTS}. */
  get size(): number {
    return this.#byEndpoint.size;
  }

  /** What to ask for this endpoint's points. */
  of(endpoint: string): SlidingSum {
    return this.#byEndpoint.get(endpoint) ?? this.#others;
  }

  add(endpoint: string, points: number, now: number): void {
    // It looks at every endpoint: now and then is enough. A clock that has stepped back must not put it off.
    if (Math.abs(now - this.#forgotAt) >= FORGET_EVERY_MS) this.#forgetIdle(now);
    let sum = this.#byEndpoint.get(endpoint);
    if (sum === undefined && this.#hasPlace(now)) {
      sum = minuteSum();
      this.#byEndpoint.set(endpoint, sum);
    }
    (sum ?? this.#others).add(points, now);
  }

  /** The most points of any one endpoint. */
  most(now: number): number {
    let most = this.#others.total(now);
    for (const sum of this.#byEndpoint.values()) most = Math.max(most, sum.total(now));
    return most;
  }

  /** While the others' points count, one of them must not get a sum of its own, where they would be missing. */
  #hasPlace(now: number): boolean {
    return this.#byEndpoint.size < MAX_ENDPOINTS && this.#others.isEmpty(now);
  }

  #forgetIdle(now: number): void {
    this.#forgotAt = now;
    for (const [endpoint, sum] of this.#byEndpoint) if (sum.isEmpty(now)) this.#byEndpoint.delete(endpoint);
  }
}

function minuteSum(): SlidingSum {
  return new SlidingSum(MINUTE_BUCKET_MS, BUCKETS_PER_MINUTE);
}
