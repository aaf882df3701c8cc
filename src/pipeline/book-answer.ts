import type { HeaderReader } from "../call/header-reader.js";
import type { Outcome } from "../call/outcome.js";
import { parseRateHeaders } from "../call/rate-headers.js";
import type { RateLimitTold } from "../graphql/rate-limit.js";
import { chargeOf } from "../policy/graphql-charge.js";
import type { Call } from "./call.js";
import type { Engine } from "./engine.js";
import type { Principal } from "./principal.js";
import type { Observed } from "./quota.js";
import type { Rise } from "./rises.js";
import { withTold } from "./told-headers.js";

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
  /** What the answer's text said of its cost. */
  readonly told?: RateLimitTold | undefined;
  /** By how much GitHub's count rose, of a GraphQL exchange. */
  readonly rise?: Rise | undefined;
}

/** What an answer said of quota. */
export interface Booked extends Observed {
  /** GitHub's API itself has answered, and not its edge in its stead, or a host that it sent the request to. */
  readonly answered: boolean;
  /** Units that GitHub charged for it, as far as anybody knows. */
  readonly units: number;
  /** The answer itself said so. */
  readonly costTold: boolean;
  /** GraphQL nodes that the answer may have had, where it said so. */
  readonly nodes: number | undefined;
  /** Only the next answer's headers will show whether it was charged. */
  readonly isInDoubt: boolean;
}

/** Books an answer: what it says of the quota, and what it cost. */
export function bookAnswer(engine: Engine, call: Call, principal: Principal, head: AnswerHead): Booked {
  const { counters, identifier, quota } = engine;
  const { status, redirected, outcome, sent } = head;
  const headers = status === 401 ? withoutRate(head.headers) : withTold(head.headers, head.told, principal);
  const answer = { ...head, headers };
  const isGraphql = call.facts.api === "graphql" && head.rise !== undefined;
  const units = isGraphql ? graphqlUnits(call, principal, answer) : chargedUnits(call, principal, answer);
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
  const costTold = head.told !== undefined && call.graphql?.isDryRun !== true;
  if (costTold && call.graphql !== undefined) principal.operationCosts.learn(call.graphql.costKey, units);
  return {
    units,
    costTold,
    nodes: head.told?.nodeCount,
    isInDoubt: isTimeout(outcome) && !hasRate(headers),
    resource,
    seen,
    refusedUntil,
    answered: status < 500 && redirected !== "away",
  };
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
  const unexplained = !secondary.explains();
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
  if (!hasRate(headers)) {
    return redirected === "away" && windows.get(resource)?.window !== undefined ? 1 : 0;
  }
  const redirect = redirected === "no" ? 0 : 1;
  return status === 304 && authorised ? redirect : redirect + 1;
}

/**
 * What GitHub charges for a GraphQL answer. A query that ran out of its time is charged too, and more than it would have
 * been; of that no header tells, so what was set aside for it is booked until the next answer shows the count.
 */
function graphqlUnits(
  { costUnits, graphql, facts }: Call,
  { windows }: Principal,
  { status, headers, outcome, told, rise }: AnswerHead,
): number {
  if (facts.costUnits === 0 || status === 401) return 0;
  if (!hasRate(headers)) {
    return isTimeout(outcome) && windows.get(facts.resource)?.window !== undefined ? costUnits : 0;
  }
  const rate = parseRateHeaders((name) => headers.get(name) ?? null);
  return chargeOf({
    told: told?.cost,
    isDryRun: graphql?.isDryRun === true,
    isRefused:
      outcome.kind === "client-error" || outcome.kind === "primary-limit" || outcome.kind === "secondary-limit",
    expectedUnits: costUnits,
    rise: rate.kind === "seen" ? rise?.until(rate) : undefined,
  });
}

function isTimeout({ kind }: Outcome): boolean {
  return kind === "graphql-timeout";
}

function hasRate(headers: HeaderReader): boolean {
  return (headers.get("x-ratelimit-limit") ?? null) !== null;
}
