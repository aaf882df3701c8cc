import type { Engine } from "./engine.js";
import type { GitHubHost, Origins, WireReply, WireRequest } from "./wire.js";

/** GitHub's hosts as seen by a client in the same process. */
export type HostOf = (origin: string) => GitHubHost | undefined;

const MAX_REDIRECTS = 20;
const NULL_BODY = new Set([101, 204, 205, 304]);

/** A `fetch` that reaches the simulated GitHub and nothing else. */
export function createInProcessFetch(
  engine: Engine,
  origins: Origins,
  hostOf: HostOf,
  address: string,
): typeof globalThis.fetch {
  return async (input, init) => {
    const call = await readCall(input, init);
    call.signal?.throwIfAborted();
    const answered = follow(engine, origins, hostOf, address, call);
    return call.signal === undefined ? answered : abortable(answered, call.signal);
  };
}

interface Call {
  readonly method: string;
  readonly url: URL;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array | string | undefined;
  readonly redirect: RequestRedirect;
  readonly signal: AbortSignal | undefined;
}

async function readCall(input: RequestInfo | URL, init: RequestInit | undefined): Promise<Call> {
  const request = input instanceof Request ? input : undefined;
  const headers = readHeaders(init?.headers ?? request?.headers);
  const body = await readBody(
    init?.body ?? (request?.body === null || request === undefined ? undefined : await request.arrayBuffer()),
    headers,
  );
  return {
    method: (init?.method ?? request?.method ?? "GET").toUpperCase(),
    url: new URL(request?.url ?? String(input)),
    headers,
    body,
    redirect: init?.redirect ?? request?.redirect ?? "follow",
    signal: init?.signal ?? request?.signal ?? undefined,
  };
}

/** What Node's fetch adds of itself is added here too: it is part of what GitHub's ETag covers. */
function readHeaders(given: HeadersInit | undefined): Map<string, string> {
  const headers = new Map<string, string>();
  if (given !== undefined) {
    const entries = given instanceof Headers || Array.isArray(given) ? given : Object.entries(given);
    for (const [name, value] of entries as Iterable<[string, unknown]>) {
      if (value !== undefined) headers.set(name.toLowerCase(), String(value).trim());
    }
  }
  if (!headers.has("accept")) headers.set("accept", "*/*");
  if (!headers.has("user-agent")) headers.set("user-agent", "node");
  if (!headers.has("accept-encoding")) headers.set("accept-encoding", "gzip, deflate");
  return headers;
}

async function readBody(
  body: BodyInit | null | undefined,
  headers: Map<string, string>,
): Promise<Uint8Array | string | undefined> {
  if (body === null || body === undefined) return undefined;
  if (typeof body === "string") {
    if (!headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8");
    return body;
  }
  if (body instanceof Uint8Array) return body;
  const response = new Response(body);
  const type = response.headers.get("content-type");
  if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
  return new Uint8Array(await response.arrayBuffer());
}

async function follow(
  engine: Engine,
  origins: Origins,
  hostOf: HostOf,
  address: string,
  first: Call,
): Promise<Response> {
  let call = first;
  for (let hops = 0; ; hops++) {
    const host = hostOf(call.url.origin);
    if (host === undefined) throw networkError(`getaddrinfo ENOTFOUND ${call.url.hostname}`, "ENOTFOUND");
    const wire: WireRequest = {
      method: call.method,
      url: call.url,
      headers: call.headers,
      body: call.body,
      address,
      origins,
      host,
    };
    const reply = await engine.answer(wire);
    if (reply.breakage === "reset") throw networkError("read ECONNRESET", "ECONNRESET");
    const location = reply.headers.find(([name]) => name === "location")?.[1];
    if (
      reply.status < 300 ||
      reply.status === 304 ||
      reply.status >= 400 ||
      location === undefined ||
      call.redirect === "manual"
    ) {
      return responseOf(reply, call.url, hops > 0);
    }
    if (call.redirect === "error") throw networkError("unexpected redirect", "UND_ERR_REDIRECT");
    if (hops === MAX_REDIRECTS) throw networkError("redirect count exceeded", "UND_ERR_REDIRECT");
    call = redirected(call, new URL(location, call.url), reply.status);
  }
}

/** @see https://fetch.spec.whatwg.org/#http-redirect-fetch */
function redirected(call: Call, url: URL, status: number): Call {
  const toGet =
    (status === 303 && call.method !== "HEAD") || ((status === 301 || status === 302) && call.method === "POST");
  const headers = new Map(call.headers);
  if (url.origin !== call.url.origin)
    for (const name of ["authorization", "cookie", "proxy-authorization", "host"]) headers.delete(name);
  if (toGet) for (const name of ["content-type", "content-length", "content-encoding"]) headers.delete(name);
  return { ...call, url, headers, ...(toGet ? { method: "GET", body: undefined } : {}) };
}

/** The answer arrives, or the signal aborts first; GitHub plays the exchange to its end either way. */
function abortable(answered: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    answered.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** A `Response` made by hand has an empty `url`; this one has that of its request, as one from a network has. */
class SimulatedResponse extends Response {
  readonly #url: string;
  readonly #redirected: boolean;

  constructor(body: BodyInit | null, init: ResponseInit, url: string, redirected: boolean) {
    super(body, init);
    this.#url = url;
    this.#redirected = redirected;
  }

  override get url(): string {
    return this.#url;
  }

  override get redirected(): boolean {
    return this.#redirected;
  }

  override clone(): Response {
    const { body, status, statusText, headers } = super.clone();
    return new SimulatedResponse(body, { status, statusText, headers }, this.#url, this.#redirected);
  }
}

function responseOf(reply: WireReply, url: URL, redirected: boolean): Response {
  const body = NULL_BODY.has(reply.status)
    ? null
    : reply.breakage === "truncate"
      ? truncated(reply.body)
      : (reply.body ?? null);
  const headers = reply.headers as [string, string][];
  return new SimulatedResponse(body as BodyInit | null, { status: reply.status, headers }, url.href, redirected);
}

function truncated(body: WireReply["body"]): ReadableStream<Uint8Array> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError("terminated", { cause: coded("other side closed", "UND_ERR_SOCKET") }));
      else controller.enqueue(bytes.slice(0, Math.floor(bytes.byteLength / 2)));
      sent = true;
    },
  });
}

/** What Node's fetch rejects with when the network fails. */
function networkError(message: string, code: string): TypeError {
  return new TypeError("fetch failed", { cause: coded(message, code) });
}

function coded(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
