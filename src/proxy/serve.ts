import type { IncomingMessage, ServerResponse } from "node:http";
import { answerOver } from "../adapter/answer-over.js";
import { graphqlOf, isGraphql } from "../adapter/graphql-in-body.js";
import type { Call, CallSource } from "../pipeline/call.js";
import type { Engine } from "../pipeline/engine.js";
import { startCall } from "../pipeline/start-call.js";
import type { Upload, Wire } from "../pipeline/wire.js";
import type { Client } from "./client.js";
import { requestHeaders } from "./forwarded-headers.js";
import { INJECTED_TOKEN } from "./options.js";
import { type KnownQuota, replyTo } from "./refusal.js";
import { failure, writeReply } from "./reply.js";
import { hasBody, isHeld, readHeld, streamed } from "./request-body.js";
import { type Asked, type Reach, type Target, targetOf } from "./target.js";
import type { OutgoingBody, Upstream } from "./upstream.js";
import { UpstreamResponse } from "./upstream-response.js";
import { writeAnswer, writeUnread } from "./write-answer.js";

/** What serves every request of a proxy. */
export interface Desk {
  readonly engine: Engine;
  readonly source: CallSource;
  readonly reach: Reach;
  readonly upstream: Upstream;
}

/** One request, whose it is, and what ends when its client leaves. */
interface Exchange {
  readonly client: Client;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
}

const LEFT: Error = Object.freeze(new Error("The client left before it was answered."));
const UNDECIDED =
  "This client has no token of its own, and this squad-rate proxy was given none for it. Set GH_TOKEN or GITHUB_TOKEN to a token of GitHub's, or start it with --inject-token.";

/** Answers one request; whatever goes wrong is told to this client alone. */
export async function serve(
  desk: Desk,
  client: Client,
  incoming: IncomingMessage,
  response: ServerResponse,
  asked: Asked,
): Promise<void> {
  client.begin(response);
  const leaving = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) leaving.abort(LEFT);
  });
  const target = targetOf(asked, desk.reach);
  try {
    await answer(desk, { client, incoming, response, signal: leaving.signal }, target);
  } catch (error) {
    if (leaving.signal.aborted || response.headersSent) response.destroy();
    else {
      const host = target.kind === "reject" ? desk.reach.github.host : target.host;
      const { agent } = client.booked;
      writeReply(response, replyTo(error, { host, agent, quota: undefined, nowMs: desk.engine.clock.now() }));
    }
  }
}

async function answer(desk: Desk, exchange: Exchange, target: Target): Promise<void> {
  const { client, incoming, response } = exchange;
  if (target.kind === "reject") {
    writeReply(response, failure(target.status, target.message));
    return;
  }
  const role = target.kind === "api" ? "api" : target.role;
  const authorization = authorizationOf(client, incoming, role !== "storage" && role !== "also");
  if (authorization.kind === "missing") {
    writeReply(response, failure(401, UNDECIDED));
    return;
  }
  const { value } = authorization;
  if (target.kind === "api" && desk.engine.options.enabled) await call(desk, exchange, target, value);
  else await passOn(desk, exchange, target, value);
}

/** A call of the API, by the squad's rules. */
async function call(
  { engine, source, upstream }: Desk,
  { client, incoming, response, signal }: Exchange,
  { url, host, path }: Target & { kind: "api" },
  authorization: string | undefined,
): Promise<void> {
  const { method = "GET", headers, rawHeaders } = incoming;
  const body = await bodyOf(incoming, isHeld(incoming, url));
  const text = body.kind === "bytes" && isGraphql(method, url) ? String(body.bytes) : undefined;
  const destination = upstream.destination(host, "api");
  const changes = { host: destination.host, authorization, decodable: true };
  const sent = requestHeaders(rawHeaders, headers.connection, changes);
  const wire: Wire = {
    url,
    signal,
    plain: true,
    uploads: uploadOf(body),
    header: (name) => (name === "authorization" ? authorization : headerOf(headers[name])),
    body: text,
    send: async (validator, exchangeSignal, edited) => {
      const message = await upstream.send({
        method,
        destination,
        path,
        headers: validator === undefined ? sent : [...sent, "If-None-Match", validator],
        body: edited === undefined ? body : { kind: "bytes", bytes: edited },
        signal: exchangeSignal,
      });
      return new UpstreamResponse(message, method, url);
    },
  };
  let made: Call | undefined;
  try {
    made = startCall(
      engine,
      source,
      { method, url, baseUrl: url, graphql: graphqlOf(text) },
      { value: client.squad, path: "client" },
      signal,
    );
    await writeAnswer(response, await answerOver(engine, made, wire));
  } catch (error) {
    if (signal.aborted || response.headersSent) throw error;
    const { agent } = client.booked;
    writeReply(response, replyTo(error, { host, agent, quota: quotaOf(made, error), nowMs: engine.clock.now() }));
  }
}

/** A request that is none of the squad's business. */
async function passOn(
  { upstream }: Desk,
  { incoming, response, signal }: Exchange,
  target: Target & { kind: "api" | "other" },
  authorization: string | undefined,
): Promise<void> {
  const { method = "GET", headers, rawHeaders } = incoming;
  const destination = upstream.destination(target.host, target.kind === "api" ? "api" : target.role);
  const changes = { host: destination.host, authorization, decodable: false };
  const message = await upstream.send({
    method,
    destination,
    path: target.path,
    headers: requestHeaders(rawHeaders, headers.connection, changes),
    body: await bodyOf(incoming, false),
    signal,
  });
  await writeUnread(response, new UpstreamResponse(message, method, ""));
}

async function bodyOf(incoming: IncomingMessage, held: boolean): Promise<OutgoingBody> {
  if (!hasBody(incoming)) return { kind: "none" };
  return held ? await readHeld(incoming) : streamed(incoming);
}

function uploadOf(body: OutgoingBody): Upload {
  return body.kind === "stream" ? "once" : false;
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}

/** The token that a request is sent with: its client's own, or one that is kept for it; the placeholder never. */
function authorizationOf(
  { token }: Client,
  { headers: { authorization } }: IncomingMessage,
  isGitHubs: boolean,
): { readonly kind: "found"; readonly value: string | undefined } | { readonly kind: "missing" } {
  const isPlaceholder =
    authorization !== undefined &&
    /^(?:token|bearer)\s+/i.test(authorization) &&
    authorization.replace(/^\w+\s+/, "").trim() === INJECTED_TOKEN;
  if (authorization !== undefined && !isPlaceholder) return { kind: "found", value: authorization };
  if (!isGitHubs) return { kind: "found", value: undefined };
  if (token !== undefined) return { kind: "found", value: `token ${token}` };
  return isPlaceholder ? { kind: "missing" } : { kind: "found", value: undefined };
}

/** The quota that a refused call would have spent, as far as anything is known of it. */
function quotaOf(made: Call | undefined, error: unknown): KnownQuota | undefined {
  const { resource = made?.facts.resource } = error as { readonly resource?: string | undefined };
  const window = resource === undefined ? undefined : made?.principal?.windows.get(resource)?.window;
  return window && { limit: window.limit, used: window.used };
}
