import type { AnswerDesk, Exchange, Outcome } from "./exchange.js";
import { graphqlPrimaryRefusal, primaryRefusal, secondaryRefusal } from "./refusals.js";
import {
  baseHeaders,
  cacheControlHeader,
  type HeaderList,
  mediaType,
  rateHeaders,
  varyHeader,
} from "./reply-headers.js";

/** The refusal of a request whose primary quota is used up. It still raises `used`. */
export function primaryReply(desk: AnswerDesk, exchange: Exchange): Outcome {
  const now = desk.state.now();
  const { principal } = exchange.identity.credential;
  const reading = desk.windows.charge(exchange.quota, 1, now, exchange.region);
  const shown = desk.windows.jittered(reading);
  // Without a credential there is no GraphQL quota at all, and the refusal is not GraphQL's.
  if (exchange.kind === "rest" || principal.kind === "address") {
    const body = primaryRefusal(principal, exchange.requestId, now);
    return {
      reply: jsonReply(desk, exchange, desk.options.primaryStatus, body, rateHeaders(shown)),
      units: 1,
      reading,
      refusedBy: "primary",
    };
  }
  const form = desk.options.graphqlLimitForm;
  const body = graphqlPrimaryRefusal(form, principal, exchange.requestId, now);
  // The newer form was seen beside headers that still promise units.
  const misleading = { ...shown, used: Math.max(0, shown.limit - 12), remaining: Math.min(12, shown.limit) };
  const headers = rateHeaders(form === "graphql_rate_limit" ? misleading : shown);
  return { reply: jsonReply(desk, exchange, 200, body, headers), units: 1, reading, refusedBy: "primary" };
}

/** A secondary refusal, in the header profile that was chosen. It still raises `used`. */
export function secondaryReply(desk: AnswerDesk, exchange: Exchange, content: boolean, retryAfter?: string): Outcome {
  const now = desk.state.now();
  const metered = desk.isMetered(exchange);
  const reading = metered
    ? desk.windows.charge(exchange.quota, 1, now, exchange.region)
    : desk.windows.read(exchange.quota, now, exchange.region);
  const profile = desk.options.secondary === false ? "bare" : desk.options.secondary.headerProfile;
  const waits = retryAfter ?? (profile === "retry-after" ? "60" : undefined);
  const headers: HeaderList =
    waits !== undefined ? [["retry-after", waits]] : metered ? rateHeaders(desk.windows.jittered(reading)) : [];
  const refused = secondaryRefusal(content, exchange.requestId, now);
  const limiter = content && exchange.graphql?.isMutation === true;
  const reply = limiter
    ? jsonReply(desk, exchange, 200, tooQuickly(exchange.graphql?.rootFields ?? []), headers)
    : jsonReply(desk, exchange, 403, refused, headers);
  return { reply, units: metered ? 1 : 0, reading, refusedBy: "secondary" };
}

/** How GraphQL refuses content that is created too fast. */
function tooQuickly(fields: readonly string[]): unknown {
  return {
    data: Object.fromEntries(fields.map((field) => [field, null])),
    errors: fields.map((field) => ({ type: "UNPROCESSABLE", path: [field], message: "was submitted too quickly" })),
  };
}

/** A JSON reply with GitHub's usual headers and no validators. */
export function jsonReply(
  desk: AnswerDesk,
  exchange: Exchange,
  status: number,
  body: unknown,
  extra: HeaderList,
): Outcome["reply"] {
  const { request } = exchange;
  return {
    status,
    headers: [
      ...baseHeaders(desk.state.now(), exchange.requestId),
      ["content-type", "application/json; charset=utf-8"],
      cacheControlHeader(exchange.identity.credential, "no-cache"),
      varyHeader(exchange.identity.credential),
      ["x-github-media-type", mediaType(request.headers.get("accept") ?? "")],
      ...extra,
    ],
    body: request.method === "HEAD" ? undefined : JSON.stringify(body),
    gzip: false,
    breakage: undefined,
  };
}
