import { endOfWindow, type RateWindow, RESET_GUARD_MS, remaining } from "./window.js";
import { formatDuration } from "./words.js";

/** Whose calls pass: green everybody's, amber P0's, red a P0 call's that is marked `emergency`. */
export type Light = "green" | "amber" | "red";

/** How much a call matters: 0 is served first, 2 gives way first. */
export type Priority = 0 | 1 | 2;

/** `fixed` holds the thresholds all window long, `glide` lowers them as the window runs out. */
export type LightMode = "fixed" | "glide";

/** Where the light changes, as shares (0–1) of the limit. */
export interface LightThresholds {
  /** Green above this share. Default in the options: 0.2. */
  readonly amberBelow: number;
  /** Red below this share. Default in the options: 0.05. */
  readonly redBelow: number;
  /** The length of a window of this resource; only `glide` uses it. */
  readonly windowMs: number;
}

/** What {@link decideLight} decides on. */
export interface LightQuestion extends LightThresholds {
  /** GitHub's name of the resource, for the explanation. */
  readonly resource: string;
  readonly window: RateWindow | undefined;
  /** Epoch milliseconds on GitHub's clock. */
  readonly githubNow: number;
  /** Units held by calls in flight; they count as spent. */
  readonly reservedUnits: number;
  /** Units that this call may cost. */
  readonly costUnits: number;
  readonly priority: Priority;
  /** Lets a P0 call pass a red light. */
  readonly emergency: boolean;
  readonly mode: LightMode;
  /** Units that no call may touch. Default in the options: 10. Smaller for small limits, see {@link decideLight}. */
  readonly emergencyReserveUnits: number;
}

/** `untilAt` (epoch milliseconds, GitHub's clock) is the first moment at which the answer can be another. */
export type LightDecision =
  | { readonly kind: "go" }
  | { readonly kind: "wait"; readonly untilAt: number; readonly why: string };

const GO: LightDecision = Object.freeze({ kind: "go" });

/** How soon to ask again when a new window's end is not known yet: its first answer is on the way. */
const ASK_AGAIN_MS = 1_000;

/**
 * The light of one resource. A window that no header has shown (the first call, or a server with limits off) and one
 * that has just been reset are green.
 */
export function lightOf(
  window: RateWindow | undefined,
  githubNow: number,
  thresholds: LightThresholds,
  mode: LightMode,
  reservedUnits: number = 0,
): Light {
  const onServer = remaining(window, githubNow);
  if (window === undefined || onServer === undefined) return "green";
  const scale = thresholdScale(window, githubNow, thresholds.windowMs, mode);
  return lightAt(onServer - reservedUnits, window.limit, thresholds, scale);
}

/**
 * Whether a call may be sent now, by the light of its resource and by what is left. No call may touch the last
 * reserve: `emergencyReserveUnits`, but at most half of the red band, so that a limit of 30 a minute is not locked by a
 * reserve made for 5,000 an hour.
 *
 * Under `glide` the thresholds are multiplied by the share of the window that is left. At its start they are the
 * published ones: with 20 % left and all the time still to come, the urgent calls of a whole window must live on it. At
 * its end they are 0: units kept for calls that can no longer come are lost at the reset. In between, a reserve in
 * proportion to the time it must last; demand that spends evenly stays green throughout, since the share of units left
 * then equals the share of time left, and amber means "faster than five times the sustainable pace". The end of a
 * window that has not opened is unknown, so all of it is still to come. The reserve shrinks with the red band.
 */
export function decideLight(question: LightQuestion): LightDecision {
  const { window, githubNow } = question;
  const onServer = remaining(window, githubNow);
  if (window === undefined || onServer === undefined) return GO;
  const scale = thresholdScale(window, githubNow, question.windowMs, question.mode);
  const left = onServer - question.reservedUnits;
  const light = lightAt(left, window.limit, question, scale);
  const admitted = passes(light, question) && left - question.costUnits >= reserveUnits(question, window.limit, scale);
  return admitted ? GO : wait(question, window, left, light, scale);
}

function lightAt(left: number, limit: number, thresholds: LightThresholds, scale: number): Light {
  if (left <= 0 || left < limit * thresholds.redBelow * scale) return "red";
  return left > limit * thresholds.amberBelow * scale ? "green" : "amber";
}

function passes(light: Light, { priority, emergency }: LightQuestion): boolean {
  return light === "green" || (priority === 0 && (light === "amber" || emergency));
}

function thresholdScale(window: RateWindow, githubNow: number, windowMs: number, mode: LightMode): number {
  if (mode === "fixed") return 1;
  const endsAt = endOfWindow(window, githubNow);
  return endsAt === undefined ? 1 : Math.min(1, Math.max(0, (endsAt - githubNow) / windowMs));
}

function reserveUnits(question: LightQuestion, limit: number, scale: number): number {
  return Math.min(question.emergencyReserveUnits, Math.floor((limit * question.redBelow * scale) / 2));
}

function wait(question: LightQuestion, window: RateWindow, left: number, light: Light, scale: number): LightDecision {
  const { githubNow } = question;
  const resetAt = endOfWindow(window, githubNow);
  const untilAt =
    resetAt === undefined
      ? githubNow + ASK_AGAIN_MS
      : Math.max(
          githubNow + 1,
          Math.min(glidesOpenAt(question, window.limit, left, resetAt), resetAt + RESET_GUARD_MS),
        );
  return { kind: "wait", untilAt, why: explain(question, window, left, light, scale, resetAt, untilAt) };
}

/** When the sinking thresholds let this call pass if nothing else is spent; never while they stand or it cannot pay. */
function glidesOpenAt(question: LightQuestion, limit: number, left: number, resetAt: number): number {
  const { costUnits, priority, emergency, windowMs, redBelow } = question;
  const over = left - costUnits;
  if (question.mode === "fixed" || over < 0 || left <= 0) return Number.POSITIVE_INFINITY;
  const lightBelow = priority > 0 ? question.amberBelow : emergency ? 0 : redBelow;
  const lightScale = left / (limit * lightBelow);
  // The reserve is floored: it is at most `over` from the moment that half the red band is below `over + 1`.
  const reserveScale = over >= question.emergencyReserveUnits ? 1 : (2 * (over + 1)) / (limit * redBelow);
  const scale = Math.min(1, lightScale, reserveScale);
  return Math.floor(resetAt - scale * windowMs) + 1;
}

function explain(
  question: LightQuestion,
  window: RateWindow,
  left: number,
  light: Light,
  scale: number,
  resetAt: number | undefined,
  untilAt: number,
): string {
  const { githubNow, reservedUnits, costUnits, priority } = question;
  const { limit } = window;
  const some = Math.max(0, left);
  const inFlight = reservedUnits > 0 ? ` besides ${reservedUnits} in flight` : "";
  const parts = [
    `${question.resource}: ${some} of ${limit} left${inFlight} (${Math.floor((100 * some) / limit)} %), ${light.toUpperCase()}`,
  ];
  const reserve = reserveUnits(question, limit, scale);
  if (passes(light, question)) {
    const kept = reserve > 0 ? ` and the last ${reserve} are kept` : "";
    parts.push(`the call may cost ${costUnits}${kept}`);
  }
  parts.push(
    resetAt === undefined ? "a new window, its end not known yet" : `resets in ${formatDuration(resetAt - githubNow)}`,
  );
  const untilReset = resetAt !== undefined && untilAt >= resetAt;
  parts.push(`P${priority} waits${untilReset ? "" : ` ${formatDuration(untilAt - githubNow)}`}`);
  return parts.join("; ");
}
