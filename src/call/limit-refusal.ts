import type { HeaderReader } from "./header-reader.js";

/**
 * Whether an answer's head says that a limit refused the request: 429, or 403 with nothing remaining or a time to come
 * back. The body would tell more, but it belongs to the caller.
 *
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
export function isLimitRefusal(status: number, headers: HeaderReader): boolean {
  if (status === 429) return true;
  return (
    status === 403 && (headers.get("x-ratelimit-remaining") === "0" || (headers.get("retry-after") ?? null) !== null)
  );
}
