import type { HeaderReader } from "../call/header-reader.js";
import { isLimitRefusal } from "../call/limit-refusal.js";
import { parseRetryAfter } from "../call/retry-after.js";
import type { Call } from "./call.js";
import type { Engine } from "./engine.js";
import type { Principal } from "./principal.js";
import type { Observed } from "./quota.js";

/** Where redirects were followed to, if any were: to another address of the API, or away, to a host that is not GitHub's API. */
export type Redirected = "no" | "within" | "away";

/** When a request was sent: in local time, and by how much wall time was ahead of that. */
export interface Sent {
  readonly at: number;
  readonly leadMs: number;
}

/** The head of an answer, however it was come by. */
export interface AnswerHead {
  readonly status: number;
  readonly redirected: Redirected;
  readonly headers: HeaderReader;
  /** Whether the request carried credentials. */
  readonly authorised: boolean;
  readonly sent: Sent;
}

/** What an answer said of quota. */
export interface Booked extends Observed {
  /** GitHub's API itself has answered, and not its edge in its stead, or a host that it sent the request to. */
  readonly answered: boolean;
  /** Units that GitHub charged for it. */
  readonly units: number;
}

/** Books an answer: what it says of the quota, and what it cost. */
export function bookAnswer(engine: Engine, call: Call, principal: Principal, head: AnswerHead): Booked {
  const { counters, identifier, quota } = engine;
  const { status, headers, redirected, sent } = head;
  const units = chargedUnits(call, principal, head);
  const { resource, seen } = quota.observe({
    principal,
    expected: call.facts.resource,
    charged: units > 0,
    headers,
    sentAt: sent.at,
    sentLeadMs: sent.leadMs,
    receivedAt: quota.clocks.localTime(),
  });
  if (resource !== undefined && resource !== call.facts.resource && status < 400)
    identifier.learn(call.facts, resource);
  if (status === 304) counters.notModified++;
  if (isLimitRefusal(status, headers)) {
    counters.refusedByGithub++;
    coolDown(engine, call, principal, head);
  }
  counters.chargedUnits += units;
  return { units, resource, seen, answered: status < 500 && redirected !== "away" };
}

/** How long to hold back when GitHub does not say. https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#handle-rate-limit-errors-appropriately */
const UNSAID_MS = 60_000;

/** A refusal while quota remains is a secondary limit's, and concerns everybody who shares the credential. */
function coolDown({ quota }: Engine, call: Call, { pool, host }: Principal, { status, headers }: AnswerHead): void {
  if (pool === undefined || headers.get("x-ratelimit-remaining") === "0") return;
  const now = quota.clocks.now(host);
  // To be refused and told to come back at once makes no sense.
  const waitMs = parseRetryAfter(headers.get("retry-after"), now) || UNSAID_MS;
  pool.cooldown.refused({
    until: now + waitMs,
    why: `GitHub refused a request of ${call.request.agent} by a secondary limit (${status})`,
    by: call.request.agent,
  });
}

/**
 * What GitHub charges for an answer: a unit, two when a redirect was followed; nothing for a 304 to a request with
 * credentials, for the rate limit itself, and where no limit is told (an app's own endpoints, a server without limits).
 *
 * An archive or an asset comes from a host that knows nothing of quota; the API, which sent the request there, has charged
 * a unit for it if it has limits at all.
 *
 * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
 */
function chargedUnits(
  { facts: { costUnits, resource } }: Call,
  { windows }: Principal,
  { status, redirected, headers, authorised }: AnswerHead,
): number {
  if (costUnits === 0) return 0;
  if ((headers.get("x-ratelimit-limit") ?? null) === null) {
    return redirected === "away" && windows.get(resource)?.window !== undefined ? 1 : 0;
  }
  const redirect = redirected === "no" ? 0 : 1;
  return status === 304 && authorised ? redirect : redirect + 1;
}
