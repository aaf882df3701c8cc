import { matchesETag } from "./etag.js";
import type { AnswerDesk, Exchange, Outcome } from "./exchange.js";
import type { RenderedBody } from "./rendered-bodies.js";
import {
  baseHeaders,
  cacheControlHeader,
  type HeaderList,
  mediaType,
  rateHeaders,
  scopeHeaders,
  varyHeader,
} from "./reply-headers.js";
import { problem, type RouteAnswer, type RouteContext } from "./rest/route.js";
import type { WindowReading } from "./windows.js";
import { actorOf } from "./world/visibility.js";

const DOCS = "https://docs.github.com/rest";
/** GitHub indents JSON for these. */
const PRETTY_AGENTS = /curl|Wget|Safari|Firefox/;

/** Performs a REST request: route, validators, charge, headers. */
export function answerRest(desk: AnswerDesk, exchange: Exchange): Outcome {
  const { request } = exchange;
  const body = bodyOf(desk, exchange);
  const reads = request.method === "GET" || request.method === "HEAD";
  const etag =
    body.answer.etag !== false &&
    (body.answer.status === 200 || body.answer.status === 201) &&
    body.compact !== undefined;
  const tag = etag
    ? body.etag(request.headers.get("accept"), request.headers.get("authorization"), request.headers.get("cookie"))
    : undefined;
  const notModified = reads && body.answer.status === 200 && isNotModified(desk, exchange, body.answer, tag);
  const reading = chargeFor(desk, exchange, notModified);
  const units = unitsOf(desk, exchange, notModified);
  const reply = notModified
    ? notModifiedReply(desk, exchange, body.answer, tag, reading)
    : fullReply(desk, exchange, body, tag, reading);
  return { reply, units, reading, refusedBy: undefined };
}

function unitsOf(desk: AnswerDesk, exchange: Exchange, notModified: boolean): number {
  if (!desk.isMetered(exchange)) return 0;
  const { kind } = exchange.identity.credential;
  // A 304 is free only to those who are known.
  return notModified && kind !== "none" && kind !== "bad" ? 0 : 1;
}

function chargeFor(desk: AnswerDesk, exchange: Exchange, notModified: boolean): WindowReading {
  return desk.windows.charge(exchange.quota, unitsOf(desk, exchange, notModified), desk.state.now(), exchange.region);
}

function bodyOf(desk: AnswerDesk, exchange: Exchange): RenderedBody {
  const { request, identity, match } = exchange;
  if (identity.problem !== undefined) return desk.bodies.render(withDocs(problem(401, identity.problem), exchange));
  if (exchange.path === "/rate_limit") return desk.bodies.render(rateLimitAnswer(desk, exchange));
  if (match === undefined) return desk.bodies.render(withDocs(problem(404, "Not Found"), exchange));
  const context = contextOf(desk, exchange);
  if (context === undefined) return desk.bodies.render(withDocs(problem(400, "Problems parsing JSON"), exchange));
  const reads = request.method === "GET" || request.method === "HEAD";
  if (!reads || match.route.scope === "volatile")
    return desk.bodies.render(withDocs(match.route.handle(context), exchange));
  const key = `${identity.credential.principal.key}|${request.origins.api}|${request.url.pathname}${request.url.search}|${context.accept}`;
  const stamp = stampOf(desk, exchange);
  const kept = desk.bodies.find(key, stamp);
  if (kept !== undefined) return kept;
  const made = desk.bodies.render(withDocs(match.route.handle(context), exchange));
  desk.bodies.keep(key, stamp, made);
  return made;
}

/** The version of everything an answer may show. */
function stampOf(desk: AnswerDesk, { match }: Exchange): string {
  const { state } = desk;
  const { owner, repo } = match?.params ?? {};
  const repository =
    match?.route.scope === "repository" && owner !== undefined && repo !== undefined
      ? state.findRepository(owner, repo)
      : undefined;
  return repository === undefined
    ? `w${state.version}`
    : `${repository.id}.${repository.version}.${state.identityVersion}`;
}

function contextOf(desk: AnswerDesk, { request, identity, match, path }: Exchange): RouteContext | undefined {
  const json = path.startsWith("/-uploads/") ? {} : parseJson(request.body, request.headers.get("content-type"));
  if (json === undefined) return undefined;
  return {
    state: desk.state,
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

function rateLimitAnswer(desk: AnswerDesk, exchange: Exchange): RouteAnswer {
  if (!desk.options.rateLimits)
    return {
      status: 404,
      json: { message: "Rate limiting is not enabled.", documentation_url: `${DOCS}/rate-limit/rate-limit` },
    };
  const resources = desk.readings(exchange.identity.credential, exchange.region);
  return { status: 200, json: { resources, rate: resources.core }, etag: false, cacheControl: "no-cache" };
}

function isNotModified(
  desk: AnswerDesk,
  { request }: Exchange,
  answer: RenderedBody["answer"],
  tag: string | undefined,
): boolean {
  const ifNoneMatch = request.headers.get("if-none-match");
  if (ifNoneMatch !== undefined) return tag !== undefined && matchesETag(ifNoneMatch, tag);
  const since = request.headers.get("if-modified-since");
  if (since === undefined || answer.lastModifiedAt === undefined || !desk.options.lastModified) return false;
  return Math.floor(answer.lastModifiedAt / 1_000) * 1_000 <= Date.parse(since);
}

function notModifiedReply(
  desk: AnswerDesk,
  exchange: Exchange,
  answer: RenderedBody["answer"],
  tag: string | undefined,
  reading: WindowReading,
): Outcome["reply"] {
  const headers = commonHeaders(desk, exchange, answer, reading);
  // A 304 is not compressed, so its tag is strong.
  if (tag !== undefined) headers.push(["etag", `"${tag}"`]);
  return { status: 304, headers, body: undefined, gzip: false, breakage: undefined };
}

function fullReply(
  desk: AnswerDesk,
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
    desk.options.gzip === "accepted" &&
    answer.bytes === undefined &&
    (request.headers.get("accept-encoding") ?? "").includes("gzip");
  const headers = commonHeaders(desk, exchange, answer, reading);
  if (tag !== undefined) headers.push(["etag", gzip ? `W/"${tag}"` : `"${tag}"`]);
  if (answer.link !== undefined) headers.push(["link", answer.link]);
  if (body.compact !== undefined)
    headers.push(["content-type", answer.contentType ?? "application/json; charset=utf-8"]);
  if (gzip) headers.push(["content-encoding", "gzip"]);
  const wanted = request.method !== "HEAD" && answer.status !== 204 && answer.status !== 205;
  const content = PRETTY_AGENTS.test(request.headers.get("user-agent") ?? "") ? body.pretty() : body.compact;
  return { status: answer.status, headers, body: wanted ? content : undefined, gzip, breakage: undefined };
}

function commonHeaders(
  desk: AnswerDesk,
  exchange: Exchange,
  answer: RenderedBody["answer"],
  reading: WindowReading,
): HeaderList {
  const { credential } = exchange.identity;
  const headers = baseHeaders(desk.state.now(), exchange.requestId, exchange.path.startsWith("/-"));
  const cached =
    answer.cacheControl !== undefined || (answer.bare !== true && (answer.status === 200 || answer.status === 201));
  if (cached) headers.push(cacheControlHeader(credential, answer.cacheControl));
  if (answer.status < 300) headers.push(varyHeader(credential));
  if (answer.lastModifiedAt !== undefined && desk.options.lastModified) {
    headers.push(["last-modified", new Date(answer.lastModifiedAt).toUTCString()]);
  }
  if (answer.bare !== true) {
    headers.push(
      ["x-github-media-type", mediaType(exchange.request.headers.get("accept") ?? "")],
      ...scopeHeaders(credential),
    );
  }
  for (const [name, value] of Object.entries(answer.headers ?? {})) headers.push([name, value]);
  if (
    desk.isMetered(exchange) ||
    (exchange.path === "/rate_limit" && desk.options.rateLimits && credential.kind !== "app-jwt")
  ) {
    headers.push(...rateHeaders(desk.windows.jittered(reading)));
  }
  return headers;
}
