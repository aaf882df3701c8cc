import type { HeaderReader } from "../call/header-reader.js";
import { isLimitRefusal } from "../call/limit-refusal.js";
import type { Call } from "./call.js";
import type { Engine } from "./engine.js";
import type { Principal } from "./principal.js";

/** The head of an answer, however it was come by. */
export interface AnswerHead {
  readonly status: number;
  readonly redirected: boolean;
  readonly headers: HeaderReader;
  /** Whether the request carried credentials. */
  readonly authorised: boolean;
  /** In the quota's local time. */
  readonly sentAt: number;
}

/** Books an answer: what it says of the quota, and what it cost. Returns the units that GitHub charged for it. */
export function bookAnswer(engine: Engine, call: Call, principal: Principal, head: AnswerHead): number {
  const { counters, identifier, quota } = engine;
  const { status, headers, sentAt } = head;
  const resource = quota.observe({
    principal,
    expected: call.facts.resource,
    headers,
    sentAt,
    receivedAt: quota.localTime(),
  });
  if (resource !== undefined && resource !== call.facts.resource && status < 400)
    identifier.learn(call.facts, resource);
  if (status === 304) counters.notModified++;
  if (isLimitRefusal(status, headers)) counters.refusedByGithub++;
  const units = chargedUnits(call, head);
  counters.chargedUnits += units;
  return units;
}

/**
 * What GitHub charges for an answer: a unit, two when a redirect was followed; nothing for a 304 to a request with
 * credentials, for the rate limit itself, and where no limit is told (an app's own endpoints, a server without limits).
 *
 * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
 */
function chargedUnits(call: Call, { status, redirected, headers, authorised }: AnswerHead): number {
  if (call.facts.costUnits === 0 || (headers.get("x-ratelimit-limit") ?? null) === null) return 0;
  const redirect = redirected ? 1 : 0;
  return status === 304 && authorised ? redirect : redirect + 1;
}
