import type { Answer, StoredAnswer } from "../cache/answer.js";
import type { ConditionalCache, SendOnce } from "../cache/conditional-cache.js";
import type { Flight } from "../cache/flights.js";
import { type Lookup, lookupOf, pathOf } from "../cache/lookup.js";
import { type WriteScope, writeScope } from "../call/write-scope.js";
import { tryAdmit } from "./admit.js";
import type { Call, Ended } from "./call.js";
import type { Engine } from "./engine.js";
import { forgetArrival } from "./gates.js";
import { isLimit } from "./judge.js";
import { noteAddress } from "./note-call.js";
import type { Principal } from "./principal.js";
import { send } from "./send.js";
import { TextResponse } from "./text-response.js";
import { traceAnswer } from "./trace-attempt.js";
import { whoseQuota } from "./whose-quota.js";
import type { Wire } from "./wire.js";

/** Thrown by the fetch seam when only the hook seam can go on; one constant, since `run` reads `call.needs`. */
export const NEEDS_PERMIT: Error = Object.freeze(new Error("squad-rate: this call has to wait for a permit first"));

/** Thrown by the fetch seam when a refusal is kept from plugins of the host that would sit on it. */
export const KEPT_BACK: Error = Object.freeze(
  new Error("squad-rate: a limit refused this; when to try again is being decided"),
);

/**
 * The fetch seam: inside auth, so it sees the token and the final address. It answers from what is known, joins what is
 * under way, or sends; it never waits for quota. Without a permit it throws {@link NEEDS_PERMIT}, and is entered again.
 */
export function exchange(engine: Engine, call: Call, wire: Wire): Promise<Answer> {
  const answering = answerTo(engine, call, wire);
  const { inside } = call.source;
  if (!(inside.retry || inside.throttling) || engine.options.retry === false) return answering;
  return answering.then((answer) => {
    if (answer.kind !== "pass" || !isLimit(call) || call.ended?.partly === true) return answer;
    call.keptBack = { response: answer.response, authorization: wire.header("authorization") };
    throw KEPT_BACK;
  });
}

function answerTo(engine: Engine, call: Call, wire: Wire): Promise<Answer> {
  // A wrap inside ours may enter again by itself after it was told to wait: what counts is how the last entry ends.
  call.needs = undefined;
  // It comes out of auth after close(), and would join its pool again; `run` is told by the waiting room that all is over.
  if (engine.closed) return Promise.reject(needsPermit(call));
  const principal = whoseQuota(engine, call, wire.header("authorization"));
  call.principal = principal;
  noteAddress(call, wire);
  if (call.graphql !== undefined) principal.operationCosts.refresh();
  const { cache } = engine;
  if (call.facts.kind === "write") return write(engine, call, wire, principal);
  const lookup = cache === undefined ? undefined : lookupFor(engine, call, wire);
  if (cache === undefined || lookup === undefined) return pass(engine, call, wire, principal);
  return read(engine, call, wire, principal, cache, lookup);
}

async function pass(engine: Engine, call: Call, wire: Wire, principal: Principal): Promise<Answer> {
  if (!holdsPermit(engine, call, principal)) throw needsPermit(call);
  const { response, addition } = await send(engine, call, wire, principal, undefined, wire.signal);
  if (addition === "fine") return { kind: "pass", response };
  admitAnyway(engine, call);
  const asWritten: Wire = { ...wire, body: undefined };
  const { ended } = call;
  const again = await send(engine, call, asWritten, principal, undefined, wire.signal).catch((error: unknown) => {
    if (addition === "spoiled" || wire.signal?.aborted === true) throw error;
    return undefined;
  });
  if (addition === "spoiled" || call.ended?.outcome === "ok") engine.graphql?.leaveAlone(call.facts.host);
  if (again !== undefined && (addition === "spoiled" || isWord(call, ended)))
    return { kind: "pass", response: again.response };
  // What went wrong on the way says nothing; the first answer may have been right.
  call.ended = ended;
  return { kind: "pass", response };
}

/** Whether the latest answer is a server's word on the query, and not that it would or could not answer this time. */
function isWord({ ended }: Call, before: Ended | undefined): boolean {
  const outcome = ended?.outcome;
  if (outcome === "client-error") return before?.outcome === "client-error";
  return outcome === "ok" || outcome === "graphql-error" || outcome === "query-too-large";
}

async function read(
  engine: Engine,
  call: Call,
  wire: Wire,
  principal: Principal,
  cache: ConditionalCache,
  lookup: Lookup,
): Promise<Answer> {
  const { freshForMs, maxStaleMs, mode } = call.request.cache;
  const stale = (): StoredAnswer | undefined =>
    maxStaleMs > 0 ? cache.remembered(lookup, "stale", maxStaleMs) : undefined;
  for (let joined = 0; ; joined++) {
    const fresh = cache.remembered(lookup, "fresh", freshForMs);
    if (fresh !== undefined) return note(call, fresh);
    // Whoever joined in vain twice sends for itself, so that a failing endpoint does not make a queue.
    const flight =
      mode === "use" && joined < 2 ? cache.flights.find(lookup.flightId, cache.lastWrite(lookup, false)) : undefined;
    if (flight === undefined) break;
    const shared = await join(cache, lookup, flight, wire.signal);
    if (shared !== undefined) return note(call, shared);
  }
  if (!holdsPermit(engine, call, principal)) {
    // One that has to go its lane's way is not blocked by that.
    const standIn = call.lane === "direct" ? stale() : undefined;
    if (standIn === undefined) throw needsPermit(call);
    return note(call, standIn);
  }
  try {
    const answer = await lead(engine, call, wire, principal, cache, lookup);
    const standIn = answer.kind === "pass" && isFailure(call, answer.response) ? stale() : undefined;
    if (standIn === undefined) return answer.kind === "stored" ? note(call, answer) : answer;
    discard(answer);
    return note(call, standIn);
  } catch (error) {
    // A body that breaks off is no answer.
    if (call.ended?.outcome === "ok") call.ended = { ...call.ended, outcome: "network-error" };
    const standIn = wire.signal?.aborted === true ? undefined : stale();
    if (standIn === undefined) throw error;
    return note(call, standIn);
  }
}

/** Joins an exchange under way; undefined when this read has to send its own after all. */
async function join(
  cache: ConditionalCache,
  lookup: Lookup,
  flight: Flight,
  signal: AbortSignal | undefined,
): Promise<StoredAnswer | undefined> {
  const mustSeeIfRedirected = cache.lastWrite(lookup, true);
  const answer = await flight.join(signal);
  if (answer === undefined) return undefined;
  if (answer.redirected && flight.startedAfterWrite < mustSeeIfRedirected) return undefined;
  return cache.share(answer);
}

/** Asks GitHub on behalf of this call and of whoever joins it meanwhile. */
function lead(
  engine: Engine,
  call: Call,
  wire: Wire,
  principal: Principal,
  cache: ConditionalCache,
  lookup: Lookup,
): Promise<Answer> {
  const { signal } = wire;
  signal?.throwIfAborted();
  const departure = cache.departure();
  const flight = cache.flights.open(lookup.flightId, departure.startedAfterWrite, signal !== undefined);
  const { notes } = call;
  const sendOnce: SendOnce = (validator) => {
    traceAnswer(engine, call, undefined);
    if (notes !== undefined) notes.looksInto = true;
    admitAnyway(engine, call);
    return send(engine, call, wire, call.principal ?? principal, validator, flight.controller?.signal);
  };
  const work = cache.ask(lookup, departure, sendOnce).then(
    (answer) => {
      traceAnswer(engine, call, answer);
      cache.flights.close(lookup.flightId, flight, answer.kind === "stored" ? answer : undefined);
      if (answer.kind === "pass" && signal !== undefined) cache.flights.tie(answer.response, signal, flight);
      return answer;
    },
    (error: unknown) => {
      traceAnswer(engine, call, undefined);
      cache.flights.close(lookup.flightId, flight, undefined);
      throw error;
    },
  );
  return signal === undefined ? work : flight.detachable(work, signal);
}

/** Asked a second time about the same call, it is sent in any case, but counted. */
function admitAnyway(engine: Engine, call: Call): void {
  if (call.permit === undefined && tryAdmit(engine, call).kind === "wait") forgetArrival(call);
}

/** Lets go of a body that nobody will read, so that its connection is free. */
export function discard(answer: Answer): void {
  // What has been read has let go already.
  if (answer.kind !== "pass" || answer.response instanceof TextResponse) return;
  const body = answer.response.body as Partial<ReadableStream> | null | undefined;
  body?.cancel?.().catch(() => undefined);
}

async function write(engine: Engine, call: Call, wire: Wire, principal: Principal): Promise<Answer> {
  if (!holdsPermit(engine, call, principal)) throw needsPermit(call);
  // A write that was redirected, as from a repository's former name, changed something else than its address names; and
  // of one without an answer nobody knows.
  let scope: WriteScope = { kind: "host" };
  try {
    const { response } = await send(engine, call, wire, principal, undefined, wire.signal);
    if (!response.redirected) scope = writeScope(pathOf(wire.url));
    return { kind: "pass", response };
  } finally {
    engine.cache?.writes.stamp(call.facts.host, scope);
  }
}

function lookupFor(engine: Engine, call: Call, wire: Wire): Lookup | undefined {
  if (call.facts.method !== "GET" || call.request.cache.mode === "bypass" || !wire.plain) return undefined;
  const authorization = wire.header("authorization") ?? "";
  const cookie = wire.header("cookie");
  const otp = wire.header("x-github-otp");
  const alone = cookie === undefined && otp === undefined;
  const credential = engine.credentials.of(alone ? authorization : `${authorization}\n${cookie ?? ""}\n${otp ?? ""}`);
  return lookupOf({ url: wire.url, host: call.facts.host, credential, header: wire.header });
}

/** Whether the call holds a permit of this very principal, or can have one without overtaking those who wait. */
function holdsPermit(engine: Engine, call: Call, principal: Principal): boolean {
  const { permit } = call;
  if (permit !== undefined) {
    if (call.facts.exempt || permit.window === undefined || permit.window.principal === principal) return true;
    // It was waited for with another token.
    permit.release(engine.quota.clocks.now(principal.host));
    call.permit = undefined;
  }
  // It has to go its lane's way, which begins outside auth.
  if (call.lane !== "direct") return false;
  if (!call.facts.exempt && engine.room.othersComeFirst()) return false;
  return tryAdmit(engine, call).kind === "go";
}

function needsPermit(call: Call): Error {
  call.needs = "permit";
  return NEEDS_PERMIT;
}

function note(call: Call, answer: StoredAnswer): StoredAnswer {
  call.outcome = answer.how;
  return answer;
}

/** GitHub is unwell or has had enough: the cases in which an older answer is better than none. */
function isFailure(call: Call, { status }: Response): boolean {
  return status >= 500 || isLimit(call);
}
