import type { Answer } from "../cache/answer.js";
import type { Outcome } from "../call/outcome.js";
import { parseRateHeaders } from "../call/rate-headers.js";
import type { RateLimitTold } from "../graphql/rate-limit.js";
import type { CallNotes, Writable } from "../trace/call-notes.js";
import { digest } from "../trace/digest.js";
import type { AttemptRecord } from "../trace/record.js";
import { shortTag } from "../trace/short-tag.js";
import type { Booked } from "./book-answer.js";
import type { Call } from "./call.js";
import type { Engine } from "./engine.js";
import type { Principal } from "./principal.js";
import { factsForTrace, targetOf } from "./trace-facts.js";
import type { Wire } from "./wire.js";

/** One physical request that is over, as far as it went. */
export interface TracedAttempt {
  /** Epoch milliseconds of this machine's clock. */
  readonly at: number;
  readonly number: number;
  readonly principal: Principal;
  readonly wire: Wire;
  readonly validator: string | undefined;
  readonly reservedUnits: number;
  readonly durationMs: number;
  readonly headers: ReadonlyMap<string, string> | undefined;
  readonly status: number | undefined;
  readonly redirected: boolean;
  readonly outcome: Outcome | undefined;
  readonly booked: Booked | undefined;
  /** What a GraphQL answer said of its cost. */
  readonly told: RateLimitTold | undefined;
  /** The whole of the answer's text as its caller sees it, where it was read, and its length as it came. */
  readonly text: string | undefined;
  readonly byteLength: number | undefined;
}

/** Writes the record of a request, or keeps it for {@link traceAnswer} where the answer is to be looked into. */
export function traceAttempt(engine: Engine, call: Call, notes: CallNotes, attempt: TracedAttempt): void {
  const { booked, status, validator, wire, headers, outcome } = attempt;
  const { target, scope } = targetOf(engine, call, notes);
  const resource = booked?.resource ?? call.facts.resource;
  notes.units += booked?.units ?? 0;
  notes.status = status;
  notes.unanswered = status === undefined;
  if (booked?.resource !== undefined) notes.resource = resource;
  // Member by member: Object.assign takes as long as all the rest.
  const record = factsForTrace(engine, call, notes, "attempt", attempt.at, resource, target) as Writable<AttemptRecord>;
  record.attempt = attempt.number;
  record.principal = attempt.principal.id;
  record.waitMs = rounded(call.waitMs - notes.toldWaitMs);
  record.durationMs = rounded(attempt.durationMs);
  record.reservedUnits = attempt.reservedUnits;
  record.chargedUnits = booked?.units ?? 0;
  record.points = call.facts.points;
  notes.toldWaitMs = call.waitMs;
  const authorization = wire.header("authorization");
  if (authorization !== undefined) record.credential = engine.credentials.of(authorization);
  if (status !== undefined) record.status = status;
  if (outcome !== undefined) record.outcome = outcome.kind;
  if (booked?.isInDoubt === true || isUntold(call, attempt)) record.inDoubt = true;
  if (attempt.redirected) record.redirected = true;
  if (scope !== undefined && !attempt.redirected) record.scope = scope;
  const sentTag = shortTag(validator ?? wire.header("if-none-match"));
  if (sentTag !== undefined) record.validator = sentTag;
  if (headers !== undefined) addHeaders(record, headers);
  if (record.bytes === undefined && attempt.byteLength !== undefined) record.bytes = attempt.byteLength;
  if (call.facts.api === "graphql") record.graphql = graphqlOf(call, record, attempt);
  if (notes.looksInto && headers !== undefined) notes.held = record;
  else endAttempt(engine, notes, record);
}

/** Writes a record that was kept, with what the cache has found in the answer; `undefined`: it broke off. */
export function traceAnswer(engine: Engine, { notes }: Call, answer: Answer | undefined): void {
  if (notes === undefined) return;
  const record = notes.held;
  // Also without an answer: the call's next request may be one that nobody looks into.
  notes.looksInto = false;
  notes.held = undefined;
  if (record === undefined) return;
  if (answer?.kind === "stored" && record.status === 200) {
    const { variant } = answer;
    record.bytes ??= variant.bytes;
    if (variant.mayHaveGrown()) record.mayHaveGrown = true;
  }
  endAttempt(engine, notes, record);
}

function endAttempt({ trace }: Engine, notes: CallNotes, record: AttemptRecord): void {
  trace.write(record);
  notes.underWay--;
  if (notes.underWay === 0) notes.finish?.();
}

/**
 * GitHub counts refusals, but some forms of a secondary one come without rate headers; and so does what something in between
 * answers in its stead, such as a page, or a host that it sent a first request to.
 */
function isUntold({ facts }: Call, { outcome, headers, status, booked, principal }: TracedAttempt): boolean {
  if (headers === undefined || status === undefined || headers.has("x-ratelimit-limit")) return false;
  if (outcome?.kind === "secondary-limit") return true;
  if (booked?.units !== 0 || facts.costUnits === 0 || status === 304 || status === 401 || status >= 500) return false;
  // A server of GitHub Enterprise may have no limits at all.
  return facts.host === "api.github.com" || principal.windows.get(facts.resource)?.window !== undefined;
}

function addHeaders(record: Writable<AttemptRecord>, headers: ReadonlyMap<string, string>): void {
  const etag = shortTag(headers.get("etag"));
  if (etag !== undefined) record.etag = etag;
  const length = headers.get("content-length");
  if (length !== undefined && /^\d{1,15}$/.test(length)) record.bytes = Number(length);
  const requestId = headers.get("x-github-request-id");
  if (requestId !== undefined && REQUEST_ID.test(requestId)) record.requestId = requestId;
  const rate = parseRateHeaders((name) => headers.get(name) ?? null);
  if (rate.kind !== "seen") return;
  const { limit, used, remaining, resetAt } = rate;
  record.rate = { limit, used, remaining, resetAt };
}

const REQUEST_ID = /^[0-9A-Fa-f:-]{1,100}$/;

function graphqlOf(
  call: Call,
  { operation }: AttemptRecord,
  { told, text, status }: TracedAttempt,
): NonNullable<AttemptRecord["graphql"]> {
  const graphql: Writable<NonNullable<AttemptRecord["graphql"]>> = {};
  if (operation !== undefined) graphql.operation = operation;
  if (call.graphql !== undefined) graphql.kind = call.graphql.operation.kind;
  if (told !== undefined) graphql.cost = told.cost;
  if (told?.nodeCount !== undefined) graphql.nodes = told.nodeCount;
  if (text !== undefined && status === 200) graphql.answer = digest(text);
  return graphql;
}

/** Microseconds are as fine as anybody wants to know, and fractions of them make lines long. */
export function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
