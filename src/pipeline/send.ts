import type { Received } from "../cache/received.js";
import { wasNeverSent } from "../call/never-sent.js";
import { publish } from "../events.js";
import type { ExchangeEnd } from "../pool/spend-word.js";
import { type Booked, bookAnswer, type Redirected } from "./book-answer.js";
import { type Call, factsOf } from "./call.js";
import type { Engine } from "./engine.js";
import type { Permit } from "./permit.js";
import type { Principal } from "./principal.js";

/** A request as it is about to go over the wire, auth included. */
export interface Wire {
  readonly url: string;
  readonly signal: AbortSignal | undefined;
  /** False when the caller asked `fetch` for something that an answer out of memory could not honour. */
  readonly plain: boolean;
  /** Whether it carries a body of its own kind, such as a release's asset, which takes as long as it takes to send. */
  readonly uploads: boolean;
  /** A request header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Sends it once, with `validator` as If-None-Match if there is one. */
  send(validator: string | undefined, signal: AbortSignal | undefined): Promise<Response>;
}

/** Whether a request's body may take long to send: anything but text. */
export function isUpload(body: unknown): boolean {
  return body !== undefined && body !== null && typeof body !== "string";
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
): Promise<Received> {
  const { counters, quota, room, underWay } = engine;
  const { permit } = call;
  // The hold is the exchange's from here on: its caller may leave while others still wait for the answer.
  call.permit = undefined;
  if (signal?.aborted === true) {
    permit?.release();
    room.poke();
    throw signal.reason;
  }
  call.exchanges++;
  counters.exchanges++;
  underWay.begin();
  const sent = quota.clocks.sent();
  let status: number | undefined;
  let booked: Booked | undefined;
  let neverSent = false;
  // The others can have a dead process's units back only because its requests have an end.
  const deadline = permit?.pooled === undefined || wire.uploads ? undefined : engine.deadlines.start(signal);
  let response: Response | undefined;
  try {
    response = await wire.send(validator, deadline?.signal ?? signal);
    status = response.status;
    const headers = new Map(response.headers);
    booked = bookAnswer(engine, call, principal, {
      status,
      redirected: redirectedTo(response, wire.url),
      headers,
      authorised: wire.header("authorization") !== undefined,
      sent,
    });
    return { response, headers };
  } catch (error) {
    counters.failed++;
    neverSent = response === undefined && wasNeverSent(error);
    throw error;
  } finally {
    deadline?.end(response);
    settle(call, principal, permit, booked, neverSent);
    underWay.end();
    if (permit !== undefined && (booked?.units ?? 0) < permit.units) room.poke();
    publish("squad-rate:exchange", () => ({
      ...factsOf(call),
      status,
      validator: validator !== undefined,
      chargedUnits: booked?.units ?? 0,
      points: call.facts.points,
      durationMs: quota.clocks.localTime() - sent.at,
    }));
  }
}

/** Charges whoever's units they were: the answer, not the guess before it, names the resource. */
function settle(
  call: Call,
  { windows }: Principal,
  permit: Permit | undefined,
  booked: Booked | undefined,
  neverSent: boolean,
): void {
  const end: ExchangeEnd = {
    answered: booked?.answered === true,
    // Whether a request without an answer was charged is in doubt, unless it cannot have left.
    charged: neverSent ? 0 : booked?.units,
    header: booked?.seen,
  };
  const spender = windows.get(booked?.resource ?? call.facts.resource)?.spender;
  if (permit?.pooled?.spender === spender) {
    permit?.settle(end);
    return;
  }
  permit?.release();
  if (booked !== undefined) spender?.settle(undefined, call.request.priority, end);
}

function redirectedTo(response: Response, sentTo: string): Redirected {
  if (!response.redirected) return "no";
  return hostOf(response.url) === hostOf(sentTo) ? "within" : "away";
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}
