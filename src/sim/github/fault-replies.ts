import type { AnswerDesk, Exchange, Outcome } from "./exchange.js";
import type { FaultScript } from "./faults.js";
import { jsonReply, primaryReply, secondaryReply } from "./refusal-replies.js";
import { baseHeaders, type HeaderList } from "./reply-headers.js";
import type { Breakage, WireReply } from "./wire.js";

const REASONS: Readonly<Record<number, string>> = {
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Time-out",
};

/** The reply that a fault puts in the place of the real one, if it does. */
export function faultReply(desk: AnswerDesk, exchange: Exchange, fault: FaultScript): Outcome | undefined {
  switch (fault.kind) {
    case "status":
      return errorReply(desk, exchange, fault.status ?? 502, fault.body ?? "json", fault.extraUnits ?? 0);
    case "html":
      return booked(
        desk,
        exchange,
        1,
        htmlReply(
          desk,
          exchange,
          200,
          "<!DOCTYPE html>\n<html><head><title>GitHub</title></head><body>Unicorn!</body></html>\n",
        ),
      );
    case "reset":
      return fault.when === "before"
        ? booked(desk, exchange, 0, { ...htmlReply(desk, exchange, 502, ""), breakage: "reset" })
        : undefined;
    case "retry-after-date": {
      const at = desk.state.now() + (fault.seconds ?? 60) * 1_000;
      return secondaryReply(desk, exchange, false, new Date(at).toUTCString());
    }
    case "primary-limit":
      return primaryReply(desk, exchange);
    case "secondary-limit":
      return secondaryReply(desk, exchange, false);
    default:
      return undefined;
  }
}

/** How a fault breaks the reply on its way. */
export function breakageOf(fault: FaultScript): Breakage | undefined {
  return fault.kind === "reset" || fault.kind === "truncate" ? fault.kind : undefined;
}

const NONSENSE: Readonly<Record<string, string | null>> = {
  "x-ratelimit-limit": "many",
  "x-ratelimit-remaining": "-7",
  "x-ratelimit-used": "NaN",
  "x-ratelimit-reset": "tomorrow",
  "x-ratelimit-resource": "",
  date: "Someday, 99 Foo 20xx 25:61:61 GMT",
  link: "<not a url>; rel=next, ;;;",
  "content-type": 'application/json; charset="',
};

/** The headers with nonsense in them: the given one, or in all places where a client might stumble. */
export function withFaultyHeaders(
  headers: WireReply["headers"],
  given: Readonly<Record<string, string | null>> = NONSENSE,
): WireReply["headers"] {
  const kept = headers.filter(([name]) => !(name in given));
  const added = Object.entries(given).flatMap(([name, value]) =>
    value === null ? [] : [[name.toLowerCase(), value] as const],
  );
  return [...kept, ...added];
}

function errorReply(
  desk: AnswerDesk,
  exchange: Exchange,
  status: number,
  form: "json" | "html",
  extraUnits: number,
): Outcome {
  const reason = REASONS[status] ?? "Error";
  const html = `<html>\r\n<head><title>${status} ${reason}</title></head>\r\n<body>\r\n<center><h1>${status} ${reason}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
  const message =
    exchange.kind === "graphql"
      ? {
          data: null,
          errors: [
            {
              message: `Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug. Please include \`${exchange.requestId}\` when reporting this issue.`,
            },
          ],
        }
      : { message: "Server Error" };
  const reply =
    form === "html" ? htmlReply(desk, exchange, status, html) : jsonReply(desk, exchange, status, message, []);
  // GitHub's own gateway answers these: nobody was asked, so nothing is charged but what a timeout costs.
  return booked(desk, exchange, (status === 500 ? 1 : 0) + extraUnits, reply);
}

function booked(desk: AnswerDesk, exchange: Exchange, units: number, reply: WireReply): Outcome {
  const charged = desk.isMetered(exchange) ? units : 0;
  const reading = desk.windows.charge(exchange.quota, charged, desk.state.now(), exchange.region);
  return { reply, units: charged, reading, refusedBy: undefined };
}

function htmlReply(desk: AnswerDesk, exchange: Exchange, status: number, html: string): WireReply {
  const headers: HeaderList = [...baseHeaders(desk.state.now(), exchange.requestId), ["content-type", "text/html"]];
  return {
    status,
    headers,
    body: exchange.request.method === "HEAD" ? undefined : html,
    gzip: false,
    breakage: undefined,
  };
}
