import type { HeaderReader } from "../call/header-reader.js";
import type { Outcome } from "../call/outcome.js";
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
  readonly outcome: Outcome;
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
  const { status, redirected, outcome, sent } = head;
  const headers = status === 401 ? withoutRate(head.headers) : head.headers;
  const units = chargedUnits(call, principal, { ...head, headers });
  const isExhausted = outcome.kind === "primary-limit";
  const { resource, seen, refusedUntil } = quota.observe({
    principal,
    expected: call.facts.resource,
    charged: units > 0,
    headers,
    exhausted: isExhausted ? outcome : undefined,
    sentAt: sent.at,
    sentLeadMs: sent.leadMs,
    receivedAt: quota.clocks.localTime(),
  });
  // A refusal is of what is used up; what else fails may have been charged elsewhere.
  // GitHub Enterprise Server has no limits unless somebody switches them on, and then its answers tell.
  if (status < 400 && redirected === "no" && !call.facts.exempt) {
    principal.secondary.isLimited = (headers.get("x-ratelimit-limit") ?? null) !== null;
  }
  if (resource !== undefined && resource !== call.facts.resource && (status < 400 || isExhausted))
    identifier.learn(call.facts, resource);
  if (status === 304) counters.notModified++;
  if (isExhausted) counters.refusedByGithub++;
  if (outcome.kind === "secondary-limit") {
    counters.refusedByGithub++;
    coolDown(engine, call, principal, outcome, head);
  }
  counters.chargedUnits += units;
  return { units, resource, seen, refusedUntil, answered: status < 500 && redirected !== "away" };
}

/** Credentials that are no good are nobody's: what is charged and told is the address's quota of 60 an hour. */
function withoutRate(headers: HeaderReader): HeaderReader {
  return { get: (name) => (name.startsWith("x-ratelimit-") ? null : headers.get(name)) };
}

/** A refusal while quota remains is a secondary limit's, and concerns everybody who shares the credential. */
function coolDown(
  { quota, options }: Engine,
  call: Call,
  principal: Principal,
  { retryAfterMs }: Extract<Outcome, { readonly kind: "secondary-limit" }>,
  { status, sent }: AnswerHead,
): void {
  if (options.secondary === false) return;
  const { cooldown, secondary, host } = principal;
  const { agent } = call.request;
  const unexplained = !secondary.explains(principal.window(call.facts.resource).share);
  const githubNow = quota.clocks.now(host);
  cooldown.refused({
    sentAt: githubNow - (quota.clocks.localTime() - sent.at),
    retryAfterMs,
    why: `GitHub refused a request of ${agent} by a secondary limit (${status})${unexplained ? ", though none that is known was near" : ""}`,
    by: agent,
    unexplained,
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
