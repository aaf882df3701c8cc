import { checkRecord, checkShare, optionError } from "../../options/check.js";
import type { LatencyOptions } from "../github/latency.js";
import type { PlanAssumptions } from "./assumptions.js";
import { checkAmount, checkPart } from "./check-amount.js";

const KEYS: Readonly<Record<keyof PlanAssumptions, true>> = {
  safeShare: true,
  restAnswerMs: true,
  graphqlAnswerMs: true,
  statusUnits: true,
  guardMaxAgeMs: true,
  pushes: true,
  comments: true,
  busiestEndpoint: true,
};

const SAFE_SHARE = 0.9;
const SAFE_SHARE_OF_PROCESSES = 0.8;
const HOUR_MS = 3_600_000;
const THIRD = 1 / 3;

/** `latency` is GitHub's, `false` if answers come at once; `dividesLimits` whether several processes divide its limits. */
export function checkAssumptions(
  given: unknown,
  latency: false | LatencyOptions,
  dividesLimits: boolean,
): PlanAssumptions {
  const path = "plan.assume";
  const assume = given === undefined ? {} : checkRecord(path, given, Object.keys(KEYS));
  const answer = (name: "restAnswerMs" | "graphqlAnswerMs", medianMs: number): number =>
    checkAmount(`${path}.${name}`, assume[name], { unit: "milliseconds" }, medianMs);
  const pushes = checkShare(`${path}.pushes`, assume.pushes, THIRD);
  const comments = checkShare(`${path}.comments`, assume.comments, Math.min(THIRD, 1 - pushes));
  if (pushes + comments > 1 + 1e-9) {
    throw optionError(`${path}: pushes + comments`, "at most 1", pushes + comments, "They are shares of all changes.");
  }
  return {
    safeShare: checkPart(`${path}.safeShare`, assume.safeShare, dividesLimits ? SAFE_SHARE_OF_PROCESSES : SAFE_SHARE),
    restAnswerMs: answer("restAnswerMs", latency === false ? 0 : meanOf(latency.restMedianMs, latency)),
    graphqlAnswerMs: answer("graphqlAnswerMs", latency === false ? 0 : meanOf(latency.graphqlMedianMs, latency)),
    statusUnits: checkAmount(`${path}.statusUnits`, assume.statusUnits, { unit: "units" }, 1),
    guardMaxAgeMs: checkAmount(`${path}.guardMaxAgeMs`, assume.guardMaxAgeMs, { unit: "milliseconds" }, HOUR_MS),
    pushes,
    comments,
    busiestEndpoint: checkShare(`${path}.busiestEndpoint`, assume.busiestEndpoint, 0.5),
  };
}

/** The mean of a log-normal time. (Where its end is cut off matters only if that is near the median.) */
function meanOf(medianMs: number, { sigma, maxMs }: LatencyOptions): number {
  return Math.min(maxMs, medianMs * Math.exp(sigma ** 2 / 2));
}
