import { isSquadRateError, type SquadRateError } from "../errors.js";
import { failure, type Reply } from "./reply.js";

/** What is known of the quota that a call would have spent. */
export interface KnownQuota {
  readonly limit: number;
  readonly used: number;
}

/** Where GitHub says what its own refusals mean; clients recognise one by it. */
const DOCUMENTATION = "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api";
/** For a limit of which nobody knows when it ends. */
const UNKNOWN_WAIT_MS = 60_000;

/** What a client is told when its call came to nothing; `host` is whom it was for, `nowMs` the time in epoch milliseconds. */
export function replyTo(
  error: unknown,
  { host, agent, quota, nowMs }: { host: string; agent: string; quota: KnownQuota | undefined; nowMs: number },
): Reply {
  if (!isSquadRateError(error)) return unanswered(error, host);
  switch (error.code) {
    case "SQUAD_RATE_CLOSED":
      return failure(503, error.message, { "retry-after": "1" });
    case "SQUAD_RATE_STORE":
      return failure(503, error.message);
    case "SQUAD_RATE_OPTIONS":
      return failure(400, error.message);
    default:
      return refusal(error, agent, quota, nowMs);
  }
}

/** As GitHub refuses what is beyond the primary limit, so that clients wait for the reset as they always do. */
function refusal(error: SquadRateError, agent: string, quota: KnownQuota | undefined, nowMs: number): Reply {
  const { code, retryAt, retryAfterMs, resource = "core", remedy, explain, message } = error;
  const waitMs = retryAt === undefined ? (retryAfterMs ?? UNKNOWN_WAIT_MS) : retryAt - nowMs;
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return {
    status: 429,
    headers: {
      "retry-after": String(seconds),
      ...(quota && { "x-ratelimit-limit": String(quota.limit), "x-ratelimit-used": String(quota.used) }),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(Math.ceil(nowMs / 1_000) + seconds),
      "x-ratelimit-resource": resource,
      "x-squad-rate": "refused",
    },
    body: {
      message: `API rate limit exceeded: ${withoutSecondary(message)}`,
      documentation_url: DOCUMENTATION,
      squad_rate: {
        code,
        // Whoever comes back at this moment must not be a fraction of a millisecond too early.
        retryAt: retryAt === undefined ? undefined : Math.ceil(retryAt),
        resource,
        agent,
        remedy,
        explain: explain.map(withoutSecondary),
      },
    },
  };
}

/** Clients tell the two kinds of refusal apart by these words, and after the other one do not look at the headers. */
function withoutSecondary(text: string): string {
  return text.replace(/secondary(?=[ -]rate)/gi, (word) => (word.startsWith("S") ? "Temporary" : "temporary"));
}

/** GitHub could not be asked, or did not answer. */
function unanswered(error: unknown, host: string): Reply {
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  if (name === "TimeoutError" || code === "ETIMEDOUT") return failure(504, `${host} did not answer in time.`);
  const why = typeof code === "string" && /^[\w-]{1,60}$/.test(code) ? ` (${code})` : "";
  return failure(502, `The connection to ${host} failed before an answer came${why}.`);
}
