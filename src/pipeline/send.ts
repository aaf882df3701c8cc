import type { Received } from "../cache/received.js";
import { cannotBeSent, wasNeverSent } from "../call/never-sent.js";
import { OUTCOME_TEXT_LENGTH, type Outcome, outcomeDependsOnText, outcomeOf } from "../call/outcome.js";
import { publish } from "../events.js";
import type { ExchangeEnd } from "../pool/spend-word.js";
import { type AnswerText, readText } from "./answer-text.js";
import { type Booked, bookAnswer, type Redirected } from "./book-answer.js";
import { type Call, type Ended, factsOf } from "./call.js";
import { type Addition, additionIn, capturingOf, readTold, type ToldAnswer } from "./capture-cost.js";
import type { Engine } from "./engine.js";
import type { Met, Permit } from "./permit.js";
import type { Principal } from "./principal.js";
import type { Rise } from "./rises.js";
import { TextResponse } from "./text-response.js";
import { traceAttempt } from "./trace-attempt.js";
import { isReading, traceReading } from "./trace-reading.js";
import type { Wire } from "./wire.js";

/** As many bytes as the characters that an outcome depends on may take. */
const MAX_OUTCOME_BYTES = 3 * OUTCOME_TEXT_LENGTH;

/** A request that was sent and answered. */
export interface Sent extends Received {
  /** What the server made of what was added to find out its cost. */
  readonly addition: Addition;
}

/**
 * One physical request: sent, observed, charged. It spends the permit that the call holds, unless its caller has left
 * before: then nothing is sent.
 */
export async function send(
  engine: Engine,
  call: Call,
  wire: Wire,
  principal: Principal,
  validator: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  const { counters, quota, room, underWay } = engine;
  const { permit, notes } = call;
  // The hold is the exchange's from here on: its caller may leave while others still wait for the answer.
  call.permit = undefined;
  if (signal?.aborted === true) {
    permit?.release(quota.clocks.now(principal.host));
    room.poke();
    throw signal.reason;
  }
  call.attempts += call.ended === undefined ? 1 : 0;
  call.ended = UNANSWERED;
  call.isSpent = wire.uploads === "once";
  call.exchanges++;
  permit?.sent();
  counters.exchanges++;
  underWay.begin();
  if (notes !== undefined) notes.underWay++;
  const number = call.exchanges;
  const at = notes === undefined ? 0 : engine.clock.now();
  const sent = quota.clocks.sent();
  let status: number | undefined;
  let booked: Booked | undefined;
  let neverSent = false;
  let outcome: Outcome | undefined;
  // The others can have a dead process's units back only because its requests have an end.
  const deadline = permit?.pooled === undefined || wire.uploads !== false ? undefined : engine.deadlines.start(signal);
  let response: Response | undefined;
  let headers: Map<string, string> | undefined;
  let read: AnswerText | undefined;
  let told: ToldAnswer | undefined;
  const capturing = call.graphqlRequest === undefined ? undefined : capturingOf(engine, call, wire);
  const rise = risesWith(call, principal);
  try {
    response = await wire.send(validator, deadline?.signal ?? signal, capturing?.body);
    status = response.status;
    headers = new Map(response.headers);
    let text: string | undefined;
    let broken: boolean | undefined;
    if (capturing !== undefined) {
      // What has to be cut out comes last.
      read = await readText(response, Number.POSITIVE_INFINITY);
      told = readTold(capturing, read.text, read.response);
      ({ text, response } = told);
      ({ broken } = read);
    } else if (outcomeDependsOnText(call.facts.api, status)) {
      read = await readText(response, MAX_OUTCOME_BYTES);
      ({ text, response, broken } = read);
    } else if (isReading(call, response)) response = await traceReading(engine, principal, response);
    outcome = outcomeOf({ api: call.facts.api, status, headers, text }, quota.clocks.nowBy(principal.host, headers));
    // Octokit makes nothing of half an answer to a query, and says nothing of it either.
    call.ended = broken === true && call.facts.api === "graphql" ? UNANSWERED : endedBy(outcome);
    booked = bookAnswer(engine, call, principal, {
      status,
      redirected: redirectedTo(response, wire.url),
      headers,
      outcome,
      authorised: wire.header("authorization") !== undefined,
      sent,
      told: told?.told,
      rise,
    });
    const { refusedUntil } = booked;
    // The reset is when to come back, and may be of another quota than the call was expected to spend of.
    if (refusedUntil !== undefined)
      call.ended = { ...call.ended, retryAfterMs: Math.max(1, refusedUntil - quota.clocks.now(principal.host)) };
    return {
      response,
      headers,
      refused: isRefused(outcome),
      addition: additionIn(engine, call, capturing, told, outcome),
    };
  } catch (error) {
    counters.failed++;
    neverSent = response === undefined && wasNeverSent(error);
    if (isAborted(signal)) call.ended = ABORTED;
    else if (neverSent && cannotBeSent(error)) call.ended = TURNED_DOWN;
    throw error;
  } finally {
    deadline?.end(response);
    rise?.end();
    const durationMs = quota.clocks.localTime() - sent.at;
    const met = outcome === undefined ? "unanswered" : isRefused(outcome) ? "refused" : "answered";
    settle(call, principal, permit, {
      booked,
      neverSent,
      met,
      durationMs,
      githubNow: quota.clocks.now(principal.host),
    });
    underWay.end();
    const { secondary } = principal;
    if (permit !== undefined && (secondary.slotWanted || (booked?.units ?? 0) < permit.units)) {
      // Whoever gets none now wants one again as soon as it is asked.
      secondary.slotWanted = false;
      room.poke();
    }
    publish("squad-rate:exchange", () => ({
      ...factsOf(call),
      status,
      validator: validator !== undefined,
      reservedUnits: permit?.units ?? 0,
      chargedUnits: booked?.units ?? 0,
      costTold: booked?.costTold === true,
      nodes: booked?.nodes,
      points: call.facts.points,
      outcome: outcome?.kind,
      durationMs,
    }));
    if (notes !== undefined) {
      traceAttempt(engine, call, notes, {
        at,
        number,
        principal,
        wire,
        validator,
        reservedUnits: permit?.units ?? 0,
        durationMs,
        headers,
        status,
        redirected: response?.redirected === true,
        outcome,
        booked,
        told: told?.told,
        text: response instanceof TextResponse ? (told?.text ?? read?.text) : undefined,
        byteLength: read?.byteLength,
      });
    }
  }
}

/** No answer came, as far as anybody knows yet. */
const UNANSWERED: Ended = Object.freeze({ outcome: "network-error", retryAfterMs: undefined, partly: false });
/** By this machine: it would be again. */
const TURNED_DOWN: Ended = Object.freeze({ outcome: "client-error", retryAfterMs: undefined, partly: false });
const ABORTED: Ended = Object.freeze({ outcome: "aborted", retryAfterMs: undefined, partly: false });
const ANSWERED: Ended = Object.freeze({ outcome: "ok", retryAfterMs: undefined, partly: false });

function endedBy(outcome: Outcome): Ended {
  switch (outcome.kind) {
    case "ok":
    case "not-modified":
    case "redirect":
      return ANSWERED;
    case "primary-limit":
    case "secondary-limit":
      return { outcome: outcome.kind, retryAfterMs: outcome.retryAfterMs, partly: outcome.refused === "part" };
    case "server-error":
      return { outcome: outcome.kind, retryAfterMs: outcome.retryAfterMs, partly: false };
    default:
      return { outcome: outcome.kind, retryAfterMs: undefined, partly: false };
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function isRefused({ kind }: Outcome): boolean {
  return kind === "primary-limit" || kind === "secondary-limit";
}

/** What is known of an exchange when it is over. */
interface Over {
  readonly booked: Booked | undefined;
  readonly neverSent: boolean;
  readonly met: Met;
  readonly durationMs: number;
  readonly githubNow: number;
}

/** Charges whoever's units they were: the answer, not the guess before it, names the resource. */
function settle(
  call: Call,
  { windows }: Principal,
  permit: Permit | undefined,
  { booked, neverSent, met, durationMs, githubNow }: Over,
): void {
  const end: ExchangeEnd = {
    answered: booked?.answered === true,
    // Whether a request without an answer was charged is in doubt, unless it cannot have left.
    charged: neverSent ? 0 : booked?.isInDoubt === true ? undefined : booked?.units,
    header: booked?.seen,
  };
  const spender = windows.get(booked?.resource ?? call.facts.resource)?.spender;
  const isThere = permit?.pooled?.spender === spender;
  permit?.settle(isThere ? end : undefined, met, durationMs, githubNow);
  if (!isThere && booked !== undefined) spender?.settle(undefined, call.request.priority, end);
}

/** Of a GraphQL exchange the count in the headers may have to tell what it cost. */
function risesWith(call: Call, principal: Principal): Rise | undefined {
  if (call.facts.api !== "graphql") return undefined;
  const tracked = principal.window(call.facts.resource);
  return tracked.rises.begin(tracked.window, tracked.spender !== undefined);
}

function redirectedTo(response: Response, sentTo: string): Redirected {
  if (!response.redirected) return "no";
  return hostOf(response.url) === hostOf(sentTo) ? "within" : "away";
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}
