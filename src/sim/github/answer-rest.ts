import type { Engine, Exchange } from "./engine.js";
import { matchesETag } from "./etag.js";
import type { Outcome } from "./outcome.js";
import type { RenderedBody } from "./rendered-bodies.js";
import { baseHeaders, cachingHeaders, type HeaderList, mediaType, rateHeaders, scopeHeaders } from "./reply-headers.js";
import { problem, type RouteAnswer, type RouteContext } from "./rest/route.js";
import type { WindowReading } from "./windows.js";
import { actorOf } from "./world/visibility.js";

const DOCS = "https://docs.github.com/rest";
/** GitHub indents JSON for these. */
const PRETTY_AGENTS = /curl|Wget|Safari|Firefox/;

/** Performs a REST request: route, validators, charge, headers. */
export function answerRest(engine: Engine, exchange: Exchange): Outcome {
  const { request } = exchange;
  const body = bodyOf(engine, exchange);
  const reads = request.method === "GET" || request.method === "HEAD";
  const etag =
    body.answer.etag !== false &&
    (body.answer.status === 200 || body.answer.status === 201) &&
    body.compact !== undefined;
  const tag = etag
    ? body.etag(request.headers.get("accept"), request.headers.get("authorization"), request.headers.get("cookie"))
    : undefined;
  const notModified = reads && body.answer.status === 200 && isNotModified(engine, exchange, body.answer, tag);
  const reading = chargeFor(engine, exchange, notModified);
  const units = unitsOf(engine, exchange, notModified);
  const reply = notModified
    ? notModifiedReply(engine, exchange, body.answer, tag, reading)
    : fullReply(engine, exchange, body, tag, reading);
  return { reply, units, reading, refusedBy: undefined };
}

function unitsOf(engine: Engine, exchange: Exchange, notModified: boolean): number {
  if (!engine.isMetered(exchange)) return 0;
  const { kind } = exchange.identity.credential;
  // A 304 is free only to those who are known.
  return notModified && kind !== "none" && kind !== "bad" ? 0 : 1;
}

function chargeFor(engine: Engine, exchange: Exchange, notModified: boolean): WindowReading {
  return engine.windows.charge(
    exchange.quota,
    unitsOf(engine, exchange, notModified),
    engine.state.now(),
    exchange.region,
  );
}

function bodyOf(engine: Engine, exchange: Exchange): RenderedBody {
  const { request, identity, match } = exchange;
  if (identity.problem !== undefined) return engine.bodies.render(withDocs(problem(401, identity.problem), exchange));
  if (exchange.path === "/rate_limit") return engine.bodies.render(rateLimitAnswer(engine, exchange));
  if (match === undefined) return engine.bodies.render(withDocs(problem(404, "Not Found"), exchange));
  const context = contextOf(engine, exchange);
  if (context === undefined) return engine.bodies.render(withDocs(problem(400, "Problems parsing JSON"), exchange));
  const reads = request.method === "GET" || request.method === "HEAD";
  if (!reads || match.route.scope === "volatile")
    return engine.bodies.render(withDocs(match.route.handle(context), exchange));
  const key = `${identity.credential.principal.key}|${request.origins.api}|${request.url.pathname}${request.url.search}|${context.accept}`;
  const stamp = stampOf(engine, exchange);
  const kept = engine.bodies.find(key, stamp);
  if (kept !== undefined) return kept;
  const made = engine.bodies.render(withDocs(match.route.handle(context), exchange));
  engine.bodies.keep(key, stamp, made);
  return made;
}

/** The version of everything an answer may show. */
function stampOf(engine: Engine, { match }: Exchange): string {
  const { state } = engine;
  const { owner, repo } = match?.params ?? {};
  const repository =
    match?.route.scope === "repository" && owner !== undefined && repo !== undefined
      ? state.findRepository(owner, repo)
      : undefined;
  return repository === undefined
    ? `w${state.version}`
    : `${repository.id}.${repository.version}.${state.identityVersion}`;
}

function contextOf(engine: Engine, { request, identity, match }: Exchange): RouteContext | undefined {
  const json = parseJson(request.body, request.headers.get("content-type"));
  if (json === undefined) return undefined;
  return {
    state: engine.state,
    credential: identity.credential,
    actor: actorOf(identity.credential),
    request,
    origins: request.origins,
    params: match?.params ?? {},
    query: request.url.searchParams,
    json,
    accept: request.headers.get("accept") ?? "",
  };
}

/** GitHub reads JSON whatever its content type says, except for raw uploads. */
function parseJson(
  body: string | Uint8Array | undefined,
  contentType: string | undefined,
): Record<string, unknown> | undefined {
  if (body === undefined || body.length === 0) return {};
  if (contentType !== undefined && !/json|text\/plain;charset=UTF-8|form-urlencoded/i.test(contentType)) return {};
  try {
    const value: unknown = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
    return typeof value === "object" && value !== null
      ? Array.isArray(value)
        ? { labels: value }
        : (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Errors name a page of the documentation and, since 2024, repeat their status. */
function withDocs(answer: RouteAnswer, { match }: Exchange): RouteAnswer {
  if (answer.status < 400 || typeof answer.json !== "object") return answer;
  return {
    ...answer,
    json: { ...answer.json, documentation_url: `${DOCS}${match?.route.docs ?? ""}`, status: String(answer.status) },
  };
}

function rateLimitAnswer(engine: Engine, exchange: Exchange): RouteAnswer {
  if (!engine.options.rateLimits)
    return {
      status: 404,
      json: { message: "Rate limiting is not enabled.", documentation_url: `${DOCS}/rate-limit/rate-limit` },
    };
  const resources = engine.readings(exchange.identity.credential, exchange.region);
  return { status: 200, json: { resources, rate: resources.core }, etag: false, cacheControl: "no-cache" };
}

function isNotModified(engine: Engine, { request }: Exchange, answer: RouteAnswer, tag: string | undefined): boolean {
  const ifNoneMatch = request.headers.get("if-none-match");
  if (ifNoneMatch !== undefined) return tag !== undefined && matchesETag(ifNoneMatch, tag);
  const since = request.headers.get("if-modified-since");
  if (since === undefined || answer.lastModifiedAt === undefined || !engine.options.lastModified) return false;
  return Math.floor(answer.lastModifiedAt / 1_000) * 1_000 <= Date.parse(since);
}

function notModifiedReply(
  engine: Engine,
  exchange: Exchange,
  answer: RouteAnswer,
  tag: string | undefined,
  reading: WindowReading,
): Outcome["reply"] {
  const headers = commonHeaders(engine, exchange, answer, reading);
  // A 304 is not compressed, so its tag is strong.
  if (tag !== undefined) headers.push(["etag", `"${tag}"`]);
  return { status: 304, headers, body: undefined, gzip: false, breakage: undefined };
}

function fullReply(
  engine: Engine,
  exchange: Exchange,
  body: RenderedBody,
  tag: string | undefined,
  reading: WindowReading,
): Outcome["reply"] {
  const { request } = exchange;
  const { answer } = body;
  const gzip =
    answer.status === 200 &&
    body.compact !== undefined &&
    engine.options.gzip === "accepted" &&
    answer.bytes === undefined &&
    (request.headers.get("accept-encoding") ?? "").includes("gzip");
  const headers = commonHeaders(engine, exchange, answer, reading);
  if (tag !== undefined) headers.push(["etag", gzip ? `W/"${tag}"` : `"${tag}"`]);
  if (answer.link !== undefined) headers.push(["link", answer.link]);
  if (body.compact !== undefined)
    headers.push(["content-type", answer.contentType ?? "application/json; charset=utf-8"]);
  if (gzip) headers.push(["content-encoding", "gzip"]);
  const wanted = request.method !== "HEAD" && answer.status !== 204 && answer.status !== 205;
  const content = PRETTY_AGENTS.test(request.headers.get("user-agent") ?? "") ? body.pretty() : body.compact;
  return { status: answer.status, headers, body: wanted ? content : undefined, gzip, breakage: undefined };
}

function commonHeaders(engine: Engine, exchange: Exchange, answer: RouteAnswer, reading: WindowReading): HeaderList {
  const { credential } = exchange.identity;
  const headers = baseHeaders(engine.state.now(), exchange.requestId);
  if (answer.status < 300 || answer.cacheControl !== undefined)
    headers.push(...cachingHeaders(credential, answer.cacheControl));
  if (answer.lastModifiedAt !== undefined && engine.options.lastModified)
    headers.push(["last-modified", new Date(answer.lastModifiedAt).toUTCString()]);
  headers.push(
    ["x-github-media-type", mediaType(exchange.request.headers.get("accept") ?? "")],
    ...scopeHeaders(credential),
  );
  for (const [name, value] of Object.entries(answer.headers ?? {})) headers.push([name, value]);
  if (
    engine.isMetered(exchange) ||
    (exchange.path === "/rate_limit" && engine.options.rateLimits && credential.kind !== "app-jwt")
  ) {
    headers.push(...rateHeaders(engine.windows.jittered(reading)));
  }
  return headers;
}
