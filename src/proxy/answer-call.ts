import { answerOver } from "../adapter/answer-over.js";
import { graphqlOf, isGraphql } from "../adapter/graphql-in-body.js";
import type { Call } from "../pipeline/call.js";
import { startCall } from "../pipeline/start-call.js";
import type { Wire } from "../pipeline/wire.js";
import { githubText } from "./addresses/request-text.js";
import type { Addresses, ClientRoots } from "./addresses-for.js";
import type { Client } from "./client.js";
import type { Desk } from "./desk.js";
import { namedIn, requestHeaders } from "./forwarded-headers.js";
import { type KnownQuota, replyTo } from "./refusal.js";
import { writeReply } from "./reply.js";
import { readBody } from "./request-body.js";
import type { Target } from "./target.js";
import type { OutgoingBody } from "./upstream.js";
import { UpstreamResponse } from "./upstream-response.js";
import type { Visit } from "./visit.js";
import { writeAnswer } from "./write-answer.js";

/** A call of the API, as it is to be made. */
export interface AskedCall {
  readonly target: Extract<Target, { kind: "api" }>;
  readonly authorization: string | undefined;
  readonly addresses: Addresses | undefined;
}

/** Makes a call by the squad's rules, and writes its answer, or why there is none. */
export async function answerCall(
  { engine, source, upstream, kept }: Desk,
  client: Client,
  visit: Visit,
  { target, authorization, addresses }: AskedCall,
): Promise<void> {
  const { url, host, path } = target;
  const { incoming, response, signal } = visit;
  const { method = "GET", headers, rawHeaders } = incoming;
  const read = await readBody(visit, url);
  const body = addresses === undefined ? read : inGitHubsWords(read, client.roots);
  const text = body.kind === "bytes" && isGraphql(method, url) ? String(body.bytes) : undefined;
  const destination = upstream.destination(host, "api");
  const changes = { host: destination.host, authorization, decodable: true };
  const sent = requestHeaders(rawHeaders, headers.connection, changes);
  const ofConnection = namedIn(headers.connection);
  const wire: Wire = {
    url,
    signal,
    plain: true,
    uploads: body.kind === "stream" ? "once" : false,
    header: (name) => {
      if (name === "authorization") return authorization;
      // What is not sent is not what the answer depends on, and others would be given that for theirs.
      if (ofConnection?.has(name) === true) return undefined;
      // How long a held body is, is told by whoever sends it; one that is edited has another length.
      return name === "content-length" && body.kind === "bytes" ? undefined : headerOf(headers[name]);
    },
    body: text,
    send: async (validator, exchangeSignal, edited) => {
      const message = await upstream.send({
        method,
        destination,
        path,
        headers: validator === undefined ? sent : [...sent, "If-None-Match", validator],
        body: edited === undefined ? body : { kind: "bytes", bytes: Buffer.from(edited) },
        signal: exchangeSignal,
      });
      return new UpstreamResponse(message, method, url);
    },
  };
  let call: Call | undefined;
  try {
    const request = { method, url, baseUrl: url, graphql: graphqlOf(text) };
    call = startCall(engine, source, request, { value: client.squad, path: "client" }, signal);
    await writeAnswer(response, await answerOver(engine, call, wire), addresses, kept);
  } catch (error) {
    if (signal.aborted || response.headersSent) throw error;
    const { agent } = client.booked;
    writeReply(response, replyTo(error, { host, agent, quota: quotaOf(call, error), nowMs: engine.clock.now() }));
  }
}

/** What the client sends, without its secret where it repeats an address that it was given. */
function inGitHubsWords(body: OutgoingBody, { plain, rooted }: ClientRoots): OutgoingBody {
  const [root] = plain;
  if (body.kind !== "bytes" || root === undefined) return body;
  // The secret is in all of them, whatever way their slashes are written.
  const secret = root.client.split("/")[3] as string;
  if (!body.bytes.includes(secret)) return body;
  return { kind: "bytes", bytes: Buffer.from(githubText(String(body.bytes), [...rooted, ...plain])) };
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}

/** The quota that a refused call would have spent, as far as anything is known of it. */
function quotaOf(call: Call | undefined, error: unknown): KnownQuota | undefined {
  const { resource = call?.facts.resource } = error as { readonly resource?: string | undefined };
  const window = resource === undefined ? undefined : call?.principal?.windows.get(resource)?.window;
  return window && { limit: window.limit, used: window.used };
}
