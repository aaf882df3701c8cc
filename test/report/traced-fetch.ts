import { hasNext, mayBeFullPage } from "../../src/cache/link.js";
import { fingerprint } from "../../src/call/fingerprint.js";
import { outcomeOf } from "../../src/call/outcome.js";
import { parseRateHeaders } from "../../src/call/rate-headers.js";
import { createRouteLabel } from "../../src/call/route.js";
import { readScope, writeScope } from "../../src/call/write-scope.js";
import type { SimulatedGitHub, VirtualClock } from "../../src/sim/index.js";
import type { AttemptRecord, TraceRecord } from "../../src/trace/record.js";

/** Who sends. */
export interface Sender {
  readonly agent: string;
  readonly priority?: 0 | 1 | 2;
  readonly session?: string;
  /** The GitHub identity behind the token; by default each token is one. */
  readonly principal?: string;
}

const labelOf = createRouteLabel();

/** A plain fetch to the simulated GitHub that writes down each exchange by hand, by GitHub's rules and from its answers. */
export function tracedFetch(
  github: SimulatedGitHub,
  clock: VirtualClock,
  sender: Sender,
  sink: (record: TraceRecord) => void,
): typeof globalThis.fetch {
  let calls = 0;
  return async (input, init) => {
    const request = new Request(input, init);
    const at = clock.now();
    const text = request.method === "POST" ? await request.clone().text() : "";
    const response = await github.fetch(request);
    sink(
      await recordOf(github, sender, {
        request,
        text,
        response,
        at,
        endedAt: clock.now(),
        call: `${sender.agent}-${++calls}`,
      }),
    );
    return response;
  };
}

interface Seen {
  readonly request: Request;
  readonly text: string;
  readonly response: Response;
  readonly at: number;
  readonly endedAt: number;
  readonly call: string;
}

async function recordOf(github: SimulatedGitHub, sender: Sender, seen: Seen): Promise<AttemptRecord> {
  const { request, response, at, endedAt, call } = seen;
  const url = new URL(request.url);
  const path = url.pathname;
  const { method } = request;
  const isGraphql = path === "/graphql";
  const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
  const rate = parseRateHeaders((name) => response.headers.get(name));
  const body = await response.clone().text();
  const answer = {
    api: isGraphql ? "graphql" : "rest",
    status: response.status,
    headers: { get: header },
    text: body,
  } as const;
  const scope = method === "GET" ? readScope(path) : writeScope(path);
  const token = request.headers.get("authorization") ?? "";
  const requestId = header("x-github-request-id");
  const exchange = isGraphql ? github.log.findLast((logged) => logged.requestId === requestId) : undefined;
  const validator = request.headers.get("if-none-match") ?? undefined;
  const etag = header("etag");
  const link = header("link");
  const items: unknown = body.startsWith("[") ? JSON.parse(body) : undefined;
  const mayHaveGrown = Array.isArray(items) && !hasNext(link) && mayBeFullPage(items.length, request.url);
  return {
    v: 1,
    kind: "attempt",
    at,
    call,
    machine: "box",
    pid: 1,
    agent: sender.agent,
    priority: sender.priority ?? 1,
    ...(sender.session === undefined ? {} : { session: sender.session }),
    method,
    route: labelOf(method, request.url),
    host: url.host,
    resource: (rate.kind === "seen" ? rate.resource : undefined) ?? (isGraphql ? "graphql" : "core"),
    target: fingerprint(`${method} ${request.url} ${seen.text}`),
    attempt: 1,
    principal: sender.principal ?? fingerprint(token),
    ...(token === "" ? {} : { credential: fingerprint(token) }),
    status: response.status,
    outcome: outcomeOf(answer, endedAt).kind,
    waitMs: 0,
    durationMs: endedAt - at,
    bytes: body.length,
    reservedUnits: 1,
    chargedUnits: exchange?.chargedUnits ?? unitsOf(response, path, token !== ""),
    ...(response.redirected ? { redirected: true } : {}),
    points: method === "GET" || isGraphql ? 1 : 5,
    ...(validator === undefined ? {} : { validator: validator.slice(0, 16) }),
    ...(etag === undefined ? {} : { etag: etag.slice(0, 16) }),
    ...(scope.kind === "repository" && !response.redirected ? { scope: fingerprint(scope.name) } : {}),
    ...(mayHaveGrown ? { mayHaveGrown } : {}),
    ...(rate.kind === "seen"
      ? { rate: { limit: rate.limit, used: rate.used, remaining: rate.remaining, resetAt: rate.resetAt } }
      : {}),
    ...(isGraphql && exchange !== undefined
      ? { graphql: { cost: exchange.chargedUnits, answer: fingerprint(body) } }
      : {}),
  };
}

/** GitHub's rule: everything costs a unit, a redirect too, but what has not changed and the question for the limits. */
function unitsOf({ status, redirected }: Response, path: string, authorised: boolean): number {
  const isFree = (status === 304 && authorised) || path === "/rate_limit" || (status >= 502 && status <= 504);
  return (redirected ? 1 : 0) + (isFree ? 0 : 1);
}
