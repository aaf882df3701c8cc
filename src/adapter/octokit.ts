import type { Answer } from "../cache/answer.js";
import { SquadRateError } from "../errors.js";
import { waitForPermit } from "../pipeline/admit.js";
import type { Call, CallSource } from "../pipeline/call.js";
import type { Engine } from "../pipeline/engine.js";
import { exchange, KEPT_BACK, NEEDS_PERMIT } from "../pipeline/exchange.js";
import { throughLane } from "../pipeline/lanes.js";
import { run } from "../pipeline/run.js";
import { startCall } from "../pipeline/start-call.js";
import { StoredResponse } from "../pipeline/stored-response.js";
import type { Wire } from "../pipeline/wire.js";
import { admitFirst, isAdmittedFirst } from "./admit-first.js";
import { knownPayer } from "./known-payer.js";
import { observeDouble } from "./observe-double.js";
import { type OctokitFetchInit, wireOf } from "./octokit-wire.js";
import { noteRetries, showOwnSettings } from "./own-settings.js";
import { replay } from "./replay.js";
import { WatchedRequest } from "./watched-request.js";

/** The parts of Octokit's request options that matter here. Octokit's own type has an index signature for the rest. */
export interface OctokitRequestOptions {
  readonly method: string;
  readonly url: string;
  readonly baseUrl: string;
  readonly query?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
  /** Not ours here: Octokit takes it for a parameter of the route. */
  readonly squad?: unknown;
  request?: OctokitRequestSettings;
}

interface OctokitRequestSettings {
  fetch?: typeof globalThis.fetch;
  signal?: AbortSignal;
  retries?: number;
  /** plugin-retry's: beside `retries` it asks for retries by hand. */
  readonly retryAfter?: unknown;
  squad?: unknown;
}

/** An Octokit that calls come from. */
export interface OctokitSource extends CallSource {
  /** What its calls carry, where the constructor was given a token; undefined for other auth. */
  readonly authorization: string | undefined;
  /** Its own `request`. */
  readonly request: (options: Pick<OctokitRequestOptions, "method" | "url">) => Promise<unknown>;
}

/**
 * One Octokit request through the pipeline. `request` sends it, auth included; it is the hook's own function.
 *
 * Auth binds the options object when the hook is called, so the object itself is written to, and put back afterwards; the
 * `request` in it is copied first, because it may be the defaults that all calls share.
 */
export async function throughOctokit<T>(
  engine: Engine,
  source: OctokitSource,
  request: (options: OctokitRequestOptions) => Promise<T> | T,
  options: OctokitRequestOptions,
): Promise<T> {
  const given = options.request;
  const { method, url, baseUrl } = options;
  if (options.squad !== undefined) throw misplaced();
  const watched = given?.squad instanceof WatchedRequest ? given.squad : undefined;
  const { query, operationName, variables } = options;
  const graphql = query === undefined ? undefined : { document: query, operationName, variables };
  const askedForByHand = source.inside.retry && given?.retries !== undefined && given.retryAfter !== undefined;
  const call = startCall(
    engine,
    askedForByHand ? leavingFailures(source) : source,
    { method, url, baseUrl, graphql },
    {
      value: watched === undefined ? given?.squad : watched.options,
      path: "request.squad",
      retries: given?.retries,
      dividesTimeouts: watched?.dividesTimeouts,
    },
    given?.signal,
  );
  watched?.begun(call);
  const base = given?.fetch ?? globalThis.fetch;
  const retriesAreOurs = source.inside.retry && engine.options.retry !== false && !askedForByHand;
  /** Why a plugin inside that came again by itself may not send. */
  let refusal: { readonly error: unknown } | undefined;
  const waitAgain = async (): Promise<void> => {
    try {
      await waitForPermit(engine, call);
    } catch (error) {
      refusal = { error };
      throw error;
    }
  };

  const seam = async (address: string, init: OctokitFetchInit): Promise<unknown> => {
    try {
      const answer = await enter(engine, call, wireOf(base, address, init), waitAgain);
      return answer.kind === "pass" ? answer.response : new StoredResponse(answer);
    } catch (error) {
      // A retry plugin between us and core must not sit on what is ours alone.
      const isOurs = error === NEEDS_PERMIT || error === KEPT_BACK || refusal !== undefined;
      if (isOurs && options.request !== undefined) options.request.retries = 0;
      throw error;
    }
  };
  const send = (): Promise<T> | T => {
    refusal = undefined;
    options.request = { ...given, fetch: seam as unknown as typeof globalThis.fetch };
    // What can be tried again is tried again from here.
    if (retriesAreOurs) options.request.retries = 0;
    return request(options);
  };
  const attempt = async (): Promise<T> => {
    const payer = isAdmittedFirst(engine, call) ? knownPayer(engine, call, source.authorization) : undefined;
    try {
      if (payer === undefined) return await send();
      await admitFirst(engine, call, payer);
      return await throughLane(engine, call, async () => send());
    } catch (error) {
      // Core has made an error of its own of it.
      throw refusal === undefined ? error : refusal.error;
    }
  };
  try {
    const response = await run(engine, call, {
      attempt,
      replay: ({ response, authorization }) => replay<T>(source.request, options, given, response, authorization),
    });
    observeDouble(engine, call, response);
    return response;
  } catch (error) {
    showOwnSettings(error, given, { seam, retries: retriesAreOurs });
    if (retriesAreOurs) noteRetries(error, call.attempts - 1);
    throw error;
  } finally {
    restore(options, given);
  }
}

/** plugin-retry, inside, does with the failures of this call as its caller told it; ours has the refusals. */
function leavingFailures(source: OctokitSource): OctokitSource {
  return { ...source, outside: { ...source.outside, retry: true } };
}

/**
 * Enters the fetch seam. A plugin inside that tries again by itself waits for its permit here: were it sent back, it
 * would begin to count its tries anew, for ever.
 */
async function enter(engine: Engine, call: Call, wire: Wire, waitAgain: () => Promise<void>): Promise<Answer> {
  const comesAgain = call.ended !== undefined;
  // Whatever it makes of a refusal that it was not shown, the answer is the latest.
  call.keptBack = undefined;
  for (;;) {
    try {
      return await exchange(engine, call, wire);
    } catch (error) {
      if (error !== NEEDS_PERMIT || !comesAgain) throw error;
    }
    call.needs = undefined;
    await waitAgain();
  }
}

/** It would be sent to GitHub as a parameter, and do nothing else. */
function misplaced(): SquadRateError {
  return new SquadRateError(
    "SQUAD_RATE_OPTIONS",
    "squad stands among the parameters of the route; with Octokit it belongs into request.",
    { remedy: "Write { request: { squad: { … } } }." },
  );
}

function restore(options: OctokitRequestOptions, given: OctokitRequestSettings | undefined): void {
  if (given === undefined) delete options.request;
  else options.request = given;
}
