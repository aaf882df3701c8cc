import type { HeaderReader } from "../call/header-reader.js";
import type { RateLimitTold } from "../graphql/rate-limit.js";
import type { Principal } from "./principal.js";

/**
 * The headers of an answer whose text has told the state of the quota, where they do not tell it themselves: a proxy may
 * have dropped them.
 */
export function withTold(
  headers: HeaderReader,
  told: RateLimitTold | undefined,
  { host, windows }: Pick<Principal, "host" | "windows">,
): HeaderReader {
  // A server of one's own may answer with numbers that it does not keep to, and says nothing in its headers then.
  if (host !== "api.github.com" && windows.get("graphql")?.window === undefined) return headers;
  if (told === undefined || (headers.get("x-ratelimit-limit") ?? null) !== null) return headers;
  const { limit, remaining, used, resetAt } = told;
  if (limit === undefined || remaining === undefined || resetAt === undefined) return headers;
  const rate: Readonly<Record<string, string>> = {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-used": String(used ?? Math.max(0, limit - remaining)),
    "x-ratelimit-reset": String(Math.floor(resetAt / 1_000)),
    "x-ratelimit-resource": "graphql",
  };
  return { get: (name) => rate[name] ?? headers.get(name) };
}
