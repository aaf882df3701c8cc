import { outcomeOf } from "../call/outcome.js";
import { SquadRateError } from "../errors.js";
import { bookAnswer } from "../pipeline/book-answer.js";
import type { Call, CallSource } from "../pipeline/call.js";
import type { Engine } from "../pipeline/engine.js";
import { exchange, KEPT_BACK, NEEDS_PERMIT } from "../pipeline/exchange.js";
import { run } from "../pipeline/run.js";
import { isUpload, type Wire } from "../pipeline/send.js";
import { startCall } from "../pipeline/start-call.js";
import { StoredResponse } from "../pipeline/stored-response.js";
import { replay } from "./replay.js";

/** The parts of Octokit's request options that matter here. Octokit's own type has an index signature for the rest. */
export interface OctokitRequestOptions {
  readonly method: string;
  readonly url: string;
  readonly baseUrl: string;
  readonly query?: unknown;
  readonly operationName?: unknown;
  /** Not ours here: Octokit takes it for a parameter of the route. */
  readonly squad?: unknown;
  request?: OctokitRequestSettings;
}

interface OctokitRequestSettings {
  fetch?: typeof globalThis.fetch;
  signal?: AbortSignal;
  retries?: number;
  squad?: unknown;
}

/** An Octokit that calls come from. */
export interface OctokitSource extends CallSource {
  /** Its own `request`. */
  readonly request: (options: Pick<OctokitRequestOptions, "method" | "url">) => Promise<unknown>;
}

/** What core passes to the fetch it was given. */
interface OctokitFetchInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly redirect?: RequestRedirect | undefined;
  readonly signal?: AbortSignal | undefined;
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
  const graphql =
    options.query === undefined ? undefined : { document: options.query, operationName: options.operationName };
  const call = startCall(
    engine,
    source,
    { method, url, baseUrl, graphql },
    { value: given?.squad, path: "request.squad", retries: given?.retries },
    given?.signal,
  );
  const base = given?.fetch ?? globalThis.fetch;

  const seam = async (address: string, init: OctokitFetchInit): Promise<unknown> => {
    try {
      const answer = await exchange(engine, call, wireOf(base, address, init));
      return answer.kind === "pass" ? answer.response : new StoredResponse(answer);
    } catch (error) {
      // A retry plugin between us and core must not sit on a signal that is ours alone.
      if ((error === NEEDS_PERMIT || error === KEPT_BACK) && options.request !== undefined) options.request.retries = 0;
      throw error;
    }
  };
  const attempt = async (): Promise<T> => {
    options.request = { ...given, fetch: seam as unknown as typeof globalThis.fetch };
    // What can be tried again is tried again from here.
    if (source.inside.retry && engine.options.retry !== false) options.request.retries = 0;
    return request(options);
  };
  try {
    const response = await run(engine, call, {
      attempt,
      replay: ({ response, authorization }) => replay<T>(source.request, options, given, response, authorization),
    });
    observeDouble(engine, call, response);
    return response;
  } finally {
    restore(options, given);
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

/** A test double or a wrap inside ours that answers without fetch: its headers are all there is to observe. */
function observeDouble(engine: Engine, call: Call, response: unknown): void {
  if (call.exchanges > 0 || call.outcome !== undefined) return;
  const { status, headers } = (response ?? {}) as { status?: unknown; headers?: unknown };
  if (typeof status !== "number" || typeof headers !== "object" || headers === null) return;
  const record = headers as Readonly<Record<string, unknown>>;
  const reader = { get: (name: string) => (record[name] === undefined ? undefined : String(record[name])) };
  const principal = engine.quota.principal(call.facts.host, call.source.installation ?? "unseen");
  bookAnswer(engine, call, principal, {
    status,
    redirected: "no",
    headers: reader,
    outcome: outcomeOf({ api: call.facts.api, status, headers: reader, text: undefined }, engine.clock.now()),
    authorised: true,
    sent: engine.quota.clocks.sent(),
  });
}

function restore(options: OctokitRequestOptions, given: OctokitRequestSettings | undefined): void {
  if (given === undefined) delete options.request;
  else options.request = given;
}

function wireOf(base: typeof globalThis.fetch, url: string, init: OctokitFetchInit): Wire {
  const { headers, signal, redirect } = init;
  return {
    url,
    signal,
    plain: redirect === undefined || redirect === "follow",
    uploads: isUpload(init.body),
    header: (name) => headers[name],
    send: (validator, exchangeSignal) => {
      if (validator === undefined && exchangeSignal === signal) return base(url, init as RequestInit);
      const sent = validator === undefined ? headers : { ...headers, "if-none-match": validator };
      return base(url, { ...init, headers: sent, signal: exchangeSignal } as RequestInit);
    },
  };
}
