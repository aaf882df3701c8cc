import { publish } from "../events.js";
import { type BreakerEvent, type BreakerState, breakerAt, CLOSED, stepBreaker } from "../policy/breaker.js";
import { addSample, type Forecast, forecast, type UsageSamples } from "../policy/forecast.js";
import type { RateWindow } from "../policy/window.js";
import { remaining } from "../policy/window.js";

/** What a {@link Breaker} watches, and whom it belongs to. */
export interface Watched {
  readonly resource: string;
  readonly window: RateWindow | undefined;
  readonly windowMs: number;
  readonly reservedUnits: number;
  readonly principal: { readonly id: string; readonly host: string; readonly onBreaker: () => void };
}

/** As far apart as the forecast's samples are. */
const SAMPLES_PER_WINDOW = 120;

/** One resource's pace, and the breaker that watches it. Times are GitHub's, epoch milliseconds. */
export class Breaker {
  readonly #tracked: Watched;
  #state: BreakerState = CLOSED;
  #samples: UsageSamples | undefined;
  #nextSampleAt = 0;

  constructor(tracked: Watched) {
    this.#tracked = tracked;
  }

  /** As it was when something happened last; time may have moved it on. */
  get state(): BreakerState {
    return this.#state;
  }

  /** What it is now. */
  at(githubNow: number): BreakerState {
    this.#become(breakerAt(this.#state, githubNow));
    return this.#state;
  }

  /** Where the pace leads; undefined while too little is known. */
  forecast(githubNow: number): Forecast | undefined {
    return forecast(this.#samples, this.#remainingUnits(githubNow), githubNow);
  }

  /** The window has been heard of. Cheap for most answers: samples are a 120th of a window apart. */
  observe(githubNow: number): void {
    const { window, windowMs } = this.#tracked;
    if (window === undefined || window.provisional) return;
    if (githubNow < this.#nextSampleAt && this.#samples?.resetAt === window.resetAt) return;
    this.#nextSampleAt = githubNow + windowMs / SAMPLES_PER_WINDOW;
    const { used, resetAt, limit } = window;
    this.#samples = addSample(this.#samples, { at: githubNow, used, resetAt }, windowMs);
    const remainingUnits = this.#remainingUnits(githubNow);
    const pace = { resetAt, windowMs, limit, remainingUnits, forecast: this.forecast(githubNow) };
    this.step({ kind: "seen", pace }, githubNow);
  }

  step(event: BreakerEvent, githubNow: number): void {
    this.at(githubNow);
    this.#become(stepBreaker(this.#state, event, githubNow));
  }

  /** Until when it holds calls back at most; undefined when it is closed. */
  openUntil(githubNow: number): number | undefined {
    const state = breakerAt(this.#state, githubNow);
    return state.kind === "closed" ? undefined : state.trip.resetAt;
  }

  #remainingUnits(githubNow: number): number {
    const { window, reservedUnits } = this.#tracked;
    return (remaining(window, githubNow) ?? 0) - reservedUnits;
  }

  #become(next: BreakerState): void {
    const from = this.#state.kind;
    this.#state = next;
    if (next.kind === from) return;
    const { principal, resource, window } = this.#tracked;
    principal.onBreaker();
    publish("squad-rate:breaker", () => ({
      principal: principal.id,
      host: principal.host,
      resource,
      from,
      to: next.kind,
      limit: window?.limit ?? 0,
      ...(next.kind === "closed"
        ? { remaining: undefined, unitsPerMinute: undefined, exhaustedInMs: undefined, resetAt: undefined }
        : {
            remaining: Math.max(0, next.trip.remainingUnits),
            unitsPerMinute: next.trip.forecast.unitsPerMinute,
            exhaustedInMs: next.trip.forecast.exhaustedInMs,
            resetAt: next.trip.resetAt,
          }),
    }));
  }
}
