import type { Received } from "../cache/received.js";
import { publish } from "../events.js";
import { bookAnswer } from "./book-answer.js";
import { type Call, factsOf } from "./call.js";
import type { Engine } from "./engine.js";
import type { Principal } from "./principal.js";

/** A request as it is about to go over the wire, auth included. */
export interface Wire {
  readonly url: string;
  readonly signal: AbortSignal | undefined;
  /** False when the caller asked `fetch` for something that an answer out of memory could not honour. */
  readonly plain: boolean;
  /** A request header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Sends it once, with `validator` as If-None-Match if there is one. */
  send(validator: string | undefined, signal: AbortSignal | undefined): Promise<Response>;
}

/** One physical request: sent, observed, charged. It spends the permit that the call holds. */
export async function send(
  engine: Engine,
  call: Call,
  wire: Wire,
  principal: Principal,
  validator: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Received> {
  const { counters, quota, room } = engine;
  const { permit } = call;
  // The hold is the exchange's from here on: its caller may leave while others still wait for the answer.
  call.permit = undefined;
  call.exchanges++;
  counters.exchanges++;
  const sentAt = quota.localTime();
  let status: number | undefined;
  let units = 0;
  try {
    const response = await wire.send(validator, signal);
    status = response.status;
    const headers = new Map(response.headers);
    units = bookAnswer(engine, call, principal, {
      status,
      redirected: response.redirected,
      headers,
      authorised: wire.header("authorization") !== undefined,
      sentAt,
    });
    return { response, headers };
  } catch (error) {
    counters.failed++;
    throw error;
  } finally {
    permit?.release();
    if (permit !== undefined && units < permit.units) room.poke();
    publish("squad-rate:exchange", () => ({
      ...factsOf(call),
      status,
      validator: validator !== undefined,
      chargedUnits: units,
      points: call.facts.points,
      durationMs: quota.localTime() - sentAt,
    }));
  }
}
