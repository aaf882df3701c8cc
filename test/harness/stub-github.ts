import { createHash } from "node:crypto";
import type { Clock } from "../../src/clock.js";

/** A request as it reached {@link StubGithub}. */
export interface StubRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly redirect: RequestRedirect | undefined;
  /** Filled in when it is answered. */
  status: number | undefined;
}

/** What a route answers; left out, it is a JSON 200 with GitHub's usual headers. */
export interface StubAnswer {
  readonly status?: number;
  readonly json?: unknown;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** `formula` as api.github.com makes it; `weak` the same, as for a compressed answer; else the header itself. */
  readonly etag?: "formula" | "weak" | "none" | (string & {});
  /** Where redirects ended. */
  readonly redirectedTo?: string;
  /** Leave out the rate headers. */
  readonly unlimited?: boolean;
}

type StubRoute = StubAnswer | ((request: StubRequest) => StubAnswer | Promise<StubAnswer>);

/** One window of one credential; tests write to it. */
export interface StubQuota {
  limit: number;
  used: number;
  /** Epoch milliseconds; the window opens anew when it has passed. */
  resetAt: number;
}

/** Settings of {@link createStubGithub}. */
export interface StubGithubOptions {
  readonly clock: Clock;
  /** False: a server whose limits are off sends no rate headers. */
  readonly limits?: boolean;
}

/** A small api.github.com for one test: ETags by the formula, 304s, quota per credential. */
export interface StubGithub {
  readonly fetch: typeof globalThis.fetch;
  readonly requests: StubRequest[];
  /** Sets the answer to `path` (with its query, if it has one). */
  route(path: string, answer: StubRoute): void;
  /** Sets the answer to the next request, whatever it is; several calls queue up. */
  once(answer: StubRoute): void;
  /** Lets requests arrive and hang from now on, until the returned function is called. */
  hold(): () => void;
  quota(authorization: string | undefined, resource?: string): StubQuota;
  /** Status codes in order of the requests. */
  statuses(): (number | undefined)[];
}

const VARY = "Accept, Authorization, Cookie, X-GitHub-OTP, Accept-Encoding, Accept, X-Requested-With";

export function createStubGithub({ clock, limits = true }: StubGithubOptions): StubGithub {
  const routes = new Map<string, StubRoute>();
  const queue: StubRoute[] = [];
  const quotas = new Map<string, StubQuota>();
  const requests: StubRequest[] = [];
  let held: { readonly promise: Promise<void>; readonly release: () => void } | undefined;

  const quota = (authorization: string | undefined, resource = "core"): StubQuota => {
    const key = `${authorization ?? ""} ${resource}`;
    const isSearch = resource === "search";
    const windowMs = isSearch ? 60_000 : 3_600_000;
    let found = quotas.get(key);
    if (found === undefined) {
      found = { limit: isSearch ? 30 : 5_000, used: 0, resetAt: clock.now() + windowMs };
      quotas.set(key, found);
    }
    if (clock.now() >= found.resetAt) Object.assign(found, { used: 0, resetAt: clock.now() + windowMs });
    return found;
  };

  const answer = async (request: StubRequest): Promise<Response> => {
    const { url, headers, method } = request;
    const route = queue.shift() ?? routes.get(url.pathname + url.search) ?? routes.get(url.pathname);
    const authorization = headers.get("authorization") ?? undefined;
    const resource = /^\/(search|graphql)\b/.exec(url.pathname)?.[1] ?? "core";
    const mine = quota(authorization, resource);
    const given =
      typeof route === "function" ? await route(request) : (route ?? { status: 404, json: { message: "Not Found" } });
    const spent = limits && given.unlimited !== true && mine.used >= mine.limit && given.status === undefined;
    const said: StubAnswer = spent
      ? { status: 403, json: { message: "API rate limit exceeded for user ID 1." } }
      : given;
    let status = said.status ?? 200;
    let body = said.body === undefined ? JSON.stringify(said.json ?? {}) : said.body;
    const sent = new Headers({
      date: new Date(clock.now()).toUTCString(),
      "content-type": "application/json; charset=utf-8",
      "cache-control": "private, max-age=60, s-maxage=60",
      vary: VARY,
      ...said.headers,
    });
    const etag = etagOf(said, status, method, headers, body);
    if (etag !== undefined) sent.set("etag", etag);
    const asked = headers.get("if-none-match");
    if (status === 200 && etag !== undefined && asked !== null && strong(asked) === strong(etag)) {
      status = 304;
      body = null;
      sent.set("etag", strong(etag));
      sent.delete("content-type");
      sent.delete("link");
    }
    if (limits && said.unlimited !== true) {
      if (status !== 304 || authorization === undefined) mine.used++;
      sent.set("x-ratelimit-limit", String(mine.limit));
      sent.set("x-ratelimit-remaining", String(Math.max(0, mine.limit - mine.used)));
      sent.set("x-ratelimit-used", String(mine.used));
      sent.set("x-ratelimit-reset", String(Math.ceil(mine.resetAt / 1000)));
      sent.set("x-ratelimit-resource", resource);
      for (const [name, value] of Object.entries(said.headers ?? {})) {
        if (name.startsWith("x-ratelimit")) sent.set(name, value);
      }
    }
    request.status = status;
    const isBodyless = method === "HEAD" || status === 204 || status === 304;
    const response = new Response(isBodyless ? null : body, { status, headers: sent });
    return Object.defineProperties(response, {
      url: { value: said.redirectedTo ?? url.href },
      redirected: { value: said.redirectedTo !== undefined },
    });
  };

  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { signal, ...rest } = init ?? {};
    const isRequest = input instanceof Request;
    const sent = new Request(isRequest ? input : String(input), { ...rest, signal: null });
    const request: StubRequest = {
      method: sent.method,
      url: new URL(sent.url),
      headers: sent.headers,
      body: sent.body === null ? undefined : await sent.text(),
      signal: signal ?? undefined,
      redirect: init?.redirect,
      status: undefined,
    };
    requests.push(request);
    const aborted = new Promise<never>((_, reject) => {
      if (signal?.aborted === true) reject(signal.reason);
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    aborted.catch(() => undefined);
    if (held !== undefined) await Promise.race([held.promise, aborted]);
    signal?.throwIfAborted();
    return Promise.race([answer(request), aborted]);
  };

  return {
    fetch: fetch as typeof globalThis.fetch,
    requests,
    route: (path, given) => void routes.set(path, given),
    once: (given) => void queue.push(given),
    hold() {
      let release: () => void = () => undefined;
      const promise = new Promise<void>((resolve) => {
        release = resolve;
      });
      held = { promise, release };
      return () => {
        held = undefined;
        release();
      };
    },
    quota,
    statuses: () => requests.map(({ status }) => status),
  };
}

/** GitHub's rule (docs/design.md), written down a second time so that it can disagree with the one under test. */
function etagOf(said: StubAnswer, status: number, method: string, headers: Headers, body: unknown): string | undefined {
  const kind = said.etag ?? (status === 200 && method === "GET" ? "formula" : "none");
  if (kind === "none") return undefined;
  if (kind !== "formula" && kind !== "weak") return kind;
  const hash = createHash("sha256");
  for (const name of ["accept", "authorization", "cookie"]) {
    const value = headers.get(name) ?? (name === "accept" ? "*/*" : null);
    if (value !== null) hash.update(`${value}:`);
  }
  hash.update(body instanceof Uint8Array ? body : String(body));
  const tag = `"${hash.digest("hex")}"`;
  return kind === "weak" ? `W/${tag}` : tag;
}

function strong(etag: string): string {
  return etag.replace(/^W\//, "");
}
