import { githubText } from "./addresses/request-text.js";
import type { Addresses } from "./addresses-for.js";
import { answerCall } from "./answer-call.js";
import { authorizationFor } from "./authorization.js";
import type { BaseTarget } from "./base-url.js";
import type { Client } from "./client.js";
import type { Desk } from "./desk.js";
import { requestHeaders } from "./forwarded-headers.js";
import { replyTo } from "./refusal.js";
import { failure, writeReply } from "./reply.js";
import { streamedBody } from "./request-body.js";
import { type Target, targetOf } from "./target.js";
import { UpstreamResponse } from "./upstream-response.js";
import type { Visit } from "./visit.js";
import { writeUnread } from "./write-answer.js";

/** Answers one request of `client`, which came by its socket or its base URL. What goes wrong is told to it alone. */
export async function serve(desk: Desk, client: Client, visit: Visit, base: BaseTarget | undefined): Promise<void> {
  client.begin(visit);
  desk.slow.watch(visit);
  const { incoming, response } = visit;
  const { url = "", httpVersion, rawHeaders } = incoming;
  const via = base === undefined ? "socket" : "base-url";
  const hosts = valuesOf("host", rawHeaders);
  const target = targetOf(
    { target: base === undefined ? url : asked(base, client), hosts, httpVersion, via },
    desk.reach,
  );
  try {
    await answer(desk, client, visit, target, base);
  } catch (error) {
    if (visit.signal.aborted || response.headersSent) response.destroy();
    else {
      const host = target.kind === "reject" ? desk.reach.github.host : target.host;
      const { agent } = client.booked;
      writeReply(response, replyTo(error, { host, agent, quota: undefined, nowMs: desk.engine.clock.now() }));
    }
  }
}

/** What is asked for at a base URL, without its secret where a query repeats an address that the client was given. */
function asked({ secret, target }: BaseTarget, { roots: { rooted, plain } }: Client): string {
  return target.includes(secret) ? githubText(target, [...rooted, ...plain]) : target;
}

async function answer(
  desk: Desk,
  client: Client,
  visit: Visit,
  target: Target,
  base: BaseTarget | undefined,
): Promise<void> {
  const { incoming, response } = visit;
  if (target.kind === "reject") {
    writeReply(response, failure(target.status, target.message));
    return;
  }
  // Which of them counts is not for two programs to guess.
  if (valuesOf("authorization", incoming.rawHeaders).length > 1) {
    writeReply(response, failure(400, "The request has several Authorization headers."));
    return;
  }
  const authorization = authorizationFor(target, incoming.headers.authorization, client.token);
  if (authorization.kind === "missing") {
    writeReply(response, failure(401, authorization.message));
    return;
  }
  const addresses = addressesFor(client, target, base);
  if (target.kind === "api" && desk.engine.options.enabled) {
    await answerCall(desk, client, visit, { target, authorization: authorization.value, addresses });
  } else {
    await passOn(desk, visit, target, authorization.value, addresses);
  }
}

/** A request that is none of the squad's business. */
async function passOn(
  { upstream }: Desk,
  visit: Visit,
  target: Exclude<Target, { kind: "reject" }>,
  authorization: string | undefined,
  addresses: Addresses | undefined,
): Promise<void> {
  const { incoming, response, signal } = visit;
  const { method = "GET", headers, rawHeaders } = incoming;
  const destination = upstream.destination(target.host, target.kind === "api" ? "api" : target.role);
  const changes = { host: destination.host, authorization, decodable: false };
  const message = await upstream.send({
    method,
    destination,
    path: target.path,
    headers: requestHeaders(rawHeaders, headers.connection, changes),
    body: streamedBody(visit),
    signal,
  });
  await writeUnread(response, new UpstreamResponse(message, method, ""), addresses);
}

function addressesFor({ roots }: Client, target: Target, base: BaseTarget | undefined): Addresses | undefined {
  if (base === undefined || target.kind === "reject") return undefined;
  const requestUrl = `https://${target.host}${target.path}`;
  return { roots: base.rooted ? roots.rooted : roots.plain, inBodies: base.rooted, requestUrl };
}

function valuesOf(name: string, raw: readonly string[]): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const key = raw[index] as string;
    if (key.length === name.length && key.toLowerCase() === name) values.push(raw[index + 1] as string);
  }
  return values;
}
