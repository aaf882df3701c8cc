import type { SquadRequestOptions } from "../options.js";
import type { CallSource } from "../pipeline/call.js";
import type { Engine } from "../pipeline/engine.js";
import { startCall } from "../pipeline/start-call.js";
import { toResponse } from "../pipeline/stored-response.js";
import { TextResponse } from "../pipeline/text-response.js";
import { isUpload, type Wire } from "../pipeline/wire.js";
import { answerOver } from "./answer-over.js";
import { graphqlOf, isGraphql } from "./graphql-in-body.js";

/** What {@link SquadFetch} takes beside a usual `RequestInit`. */
export interface SquadRequestInit extends RequestInit {
  /** What this call says for itself. */
  readonly squad?: SquadRequestOptions;
}

/** `fetch` with the squad's rules. Its answers are real `Response` objects; a 304 is never among them unless asked for. */
export type SquadFetch = (input: string | URL | Request, init?: SquadRequestInit) => Promise<Response>;

/** The bare `fetch` adapter. Calls through it have one source, and the token that each brings. */
export function createFetch(engine: Engine, source: CallSource): SquadFetch {
  return async (input, init) => {
    const { squad, ...requestInit } = init ?? {};
    const base = engine.options.fetch ?? globalThis.fetch;
    const request = input instanceof Request ? input : undefined;
    const url = addressOf(request?.url ?? String(input));
    const method = (init?.method ?? request?.method ?? "GET").toUpperCase();
    const headers = new Headers(init?.headers ?? request?.headers);
    // As with fetch, null detaches a Request from its own signal.
    const signal = (init?.signal === undefined ? request?.signal : init.signal) ?? undefined;
    const held =
      init?.body === undefined && holdsText(request, method, url, headers) ? await bodyOf(request) : undefined;
    const body: unknown = isGraphql(method, url) ? (init?.body ?? held) : undefined;
    const graphql = graphqlOf(body);
    const call = startCall(
      engine,
      source,
      { method, url, baseUrl: url, graphql },
      { value: squad, path: "squad" },
      signal,
    );
    const wire: Wire = {
      url,
      signal,
      plain: isPlain(requestInit) && (request === undefined || isPlain(request)),
      uploads: isUpload(init?.body ?? held ?? request?.body),
      header: (name) => headers.get(name) ?? undefined,
      body: typeof body === "string" ? body : undefined,
      send: (validator, exchangeSignal, edited) => {
        const sent: RequestInit = { ...requestInit, method, headers, signal: exchangeSignal ?? null };
        if (validator !== undefined) {
          sent.headers = new Headers(headers);
          sent.headers.set("if-none-match", validator);
        }
        const text = edited ?? held;
        if (text !== undefined) sent.body = text;
        return base(request ?? url, sent);
      },
    };
    const answer = await answerOver(engine, call, wire);
    if (answer.kind === "stored") return toResponse(answer);
    const { response } = answer;
    return response instanceof TextResponse ? response.toResponse() : response;
  };
}

/** The address as it goes over the wire; what is none goes on as it is, for `fetch` to refuse in its own words. */
function addressOf(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

/** Whether an answer out of memory is what these settings ask for. */
function isPlain({ cache, redirect }: RequestInit | Request): boolean {
  return (cache === undefined || cache === "default") && (redirect === undefined || redirect === "follow");
}

/** Whether a Request's body is text by what it says: such a one is short, and can be sent again once it has been read. */
function holdsText(request: Request | undefined, method: string, url: string, headers: Headers): boolean {
  if (request === undefined || request.body === null) return false;
  return isGraphql(method, url) || /^application\/json\b/i.test(headers.get("content-type") ?? "");
}

/** The body of a Request, which is left for whoever sends it. */
async function bodyOf(request: Request | undefined): Promise<string | undefined> {
  return request === undefined || request.bodyUsed ? undefined : request.clone().text();
}
