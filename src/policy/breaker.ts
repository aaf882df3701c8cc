import type { Forecast } from "./forecast.js";
import type { Priority } from "./light.js";
import { RESET_TOLERANCE_MS } from "./window.js";
import { formatDuration } from "./words.js";

/** What is known of a resource when an answer has been seen. Times are epoch milliseconds on GitHub's clock. */
export interface SeenPace {
  /** The end of the window that is believed to be open. */
  readonly resetAt: number;
  readonly windowMs: number;
  readonly limit: number;
  /** Units held by calls in flight taken off. */
  readonly remainingUnits: number;
  readonly forecast: Forecast | undefined;
}

/** The pace for which a breaker is open; `resetAt` is when it closes at the latest. */
export interface Trip extends Omit<SeenPace, "forecast"> {
  readonly forecast: Forecast;
}

/**
 * One resource's breaker. `openedAt` tells one opening from the next. All times are epoch milliseconds on GitHub's
 * clock. Time alone moves it on: ask {@link breakerAt} what it is now.
 */
export type BreakerState =
  /** `resetAt`: the latest window of which an answer has told and which is not over, 0: none. Earlier ones are not heard. */
  | { readonly kind: "closed"; readonly resetAt: number }
  | { readonly kind: "open"; readonly openedAt: number; readonly halfOpenAt: number; readonly trip: Trip }
  | {
      readonly kind: "half-open";
      readonly openedAt: number;
      readonly trip: Trip;
      /** A call of this process is under way to find out. */
      readonly probing: boolean;
      readonly successes: number;
    };

/** What moves a breaker. `probe` is what the decision to send it said. */
export type BreakerEvent =
  | { readonly kind: "seen"; readonly pace: SeenPace }
  | { readonly kind: "probe-sent"; readonly probe: number }
  /** `unanswered`: it was aborted, failed, or needed no request in the end, and says nothing either way. */
  | { readonly kind: "probe-ended"; readonly probe: number; readonly how: "answered" | "refused" | "unanswered" };

/** What {@link decideBreaker} decides on. */
export interface BreakerQuestion {
  /** GitHub's name of the resource, for the explanation. */
  readonly resource: string;
  readonly state: BreakerState;
  readonly priority: Priority;
  /** Whether an open breaker holds calls back. With a healthy pool grants do that, and the breaker only reports. */
  readonly gates: boolean;
  /** Epoch milliseconds on GitHub's clock. */
  readonly now: number;
}

/**
 * `probe` is set when this call is to be the probe: tell the breaker that it was sent, and how it ended, with that
 * number. `untilAt` (epoch milliseconds, GitHub's clock) is the first moment at which the answer can be another.
 */
export type BreakerDecision =
  | { readonly kind: "go"; readonly probe: number | undefined }
  | { readonly kind: "wait"; readonly untilAt: number; readonly why: string };

/** Where every breaker begins. */
export const CLOSED: BreakerState = Object.freeze({ kind: "closed", resetAt: 0 });

const GO: BreakerDecision = Object.freeze({ kind: "go", probe: undefined });

/** Exhaustion within this long opens the breaker, in a short window within this part of it. */
const HORIZON_MS = 120_000;
const HORIZONS_PER_WINDOW = 30;

/** As far apart as samples are, so that a probe's answer is a new one: 30 s in an hour. */
const COOLDOWNS_PER_WINDOW = 120;

const SUCCESSES_TO_CLOSE = 2;

/** How soon to ask again when a probe's answer is on the way. */
const ASK_AGAIN_MS = 1_000;

/** What a breaker is at a moment: half-open when its cooldown is over, closed at its window's end, whatever happened. */
export function breakerAt(state: BreakerState, now: number): BreakerState {
  if (state.kind === "closed") return state;
  if (now >= state.trip.resetAt) return CLOSED;
  if (state.kind === "half-open" || now < state.halfOpenAt) return state;
  return { kind: "half-open", openedAt: state.openedAt, trip: state.trip, probing: false, successes: 0 };
}

/**
 * The breaker after an event.
 *
 * - It opens when the window is forecast to be used up before its reset, and soon: within two minutes, or a thirtieth
 *   of the window if that is less. Units that would run out later are the light's business, and the pool's.
 * - After a cooldown of a 120th of the window it is half-open: one call of this process at a time goes to find out. Two
 *   that are answered close it. One that is refused opens it again, and so does any answer that shows the same prospect.
 * - The window's end closes it, and so does an answer from a later window. Of earlier windows nothing more is heard.
 *
 * While it is open nothing but P0 spends, so that the fit sinks below the horizon by and by; as demand returns the
 * prospect does, too. What is left is then spent at a pace that falls with it, rather than all at once.
 *
 * @example
 * ```ts
 * let state: BreakerState = CLOSED;
 * const pace = { resetAt, windowMs: 3_600_000, limit: 5_000, remainingUnits: 1_900, forecast: forecast(samples, 1_900, now) };
 * state = stepBreaker(state, { kind: "seen", pace }, now);
 * decideBreaker({ resource: "core", state, priority: 1, gates: true, now });
 * // { kind: "wait", untilAt: now + 30_000, why: "core: at 1200 units/min the remaining 1900 of 5000 last 1 min 35 s, …" }
 * ```
 */
export function stepBreaker(state: BreakerState, event: BreakerEvent, now: number): BreakerState {
  const current = breakerAt(state, now);
  if (event.kind === "seen") return see(current, event.pace, now);
  if (current.kind !== "half-open" || current.openedAt !== event.probe) return current;
  if (event.kind === "probe-sent") return { ...current, probing: true };
  if (event.how === "refused") return open(current.trip, now);
  const successes = current.successes + (event.how === "answered" ? 1 : 0);
  return successes >= SUCCESSES_TO_CLOSE ? close(current.trip.resetAt) : { ...current, probing: false, successes };
}

/**
 * Whether a call may be sent now. An open breaker lets P0 pass, and a half-open one a probe besides, whoever comes first;
 * one that does not gate lets everybody pass, and has its probes all the same.
 */
export function decideBreaker(question: BreakerQuestion): BreakerDecision {
  const { state, priority, gates, now } = question;
  const current = breakerAt(state, now);
  if (current.kind === "closed") return GO;
  if (current.kind === "half-open" && !current.probing) return { kind: "go", probe: current.openedAt };
  if (priority === 0 || !gates) return GO;
  const untilAt = current.kind === "open" ? current.halfOpenAt : Math.min(now + ASK_AGAIN_MS, current.trip.resetAt);
  const how = current.kind === "open" ? "open" : "half-open, a probe is under way";
  return { kind: "wait", untilAt, why: explain(question, current.trip, how, untilAt) };
}

function see(current: BreakerState, pace: SeenPace, now: number): BreakerState {
  const endsAt = current.kind === "closed" ? current.resetAt : current.trip.resetAt;
  if (pace.resetAt < endsAt - RESET_TOLERANCE_MS) return current;
  if (pace.resetAt > endsAt + RESET_TOLERANCE_MS) return see(close(pace.resetAt), pace, now);
  const trip = tripOf({ ...pace, resetAt: endsAt }, now);
  if (trip === undefined) return current;
  return current.kind === "open" ? { ...current, trip } : open(trip, now);
}

function tripOf({ forecast, ...pace }: SeenPace, now: number): Trip | undefined {
  const leftMs = pace.resetAt - now;
  // A reset as near as that may have passed: answers of one window name it up to two seconds apart.
  if (forecast === undefined || leftMs <= RESET_TOLERANCE_MS) return undefined;
  const horizonMs = Math.min(HORIZON_MS, pace.windowMs / HORIZONS_PER_WINDOW);
  return forecast.exhaustedInMs < leftMs && forecast.exhaustedInMs <= horizonMs ? { ...pace, forecast } : undefined;
}

function close(resetAt: number): BreakerState {
  return { kind: "closed", resetAt };
}

function open(trip: Trip, now: number): BreakerState {
  const cooldownMs = Math.max(1, trip.windowMs / COOLDOWNS_PER_WINDOW);
  return { kind: "open", openedAt: now, halfOpenAt: Math.min(now + cooldownMs, trip.resetAt), trip };
}

function explain({ resource, priority, now }: BreakerQuestion, trip: Trip, how: string, untilAt: number): string {
  const { limit, remainingUnits, resetAt, forecast } = trip;
  const pace = `${Math.max(0, remainingUnits)} of ${limit} last ${formatDuration(forecast.exhaustedInMs)}`;
  return (
    `${resource}: at ${rounded(forecast.unitsPerMinute)} units/min the remaining ${pace}, ` +
    `the reset is in ${formatDuration(resetAt - now)}; breaker ${how}, P${priority} waits ${formatDuration(untilAt - now)}`
  );
}

function rounded(value: number): number {
  return value >= 10 ? Math.round(value) : Number(value.toPrecision(2));
}
