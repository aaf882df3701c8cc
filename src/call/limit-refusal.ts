/**
 * Whether an answer's head says that a limit refused the request: 429, or 403 with nothing remaining or a time to come
 * back. The body would tell more, but it belongs to the caller.
 *
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
export function isLimitRefusal(status: number, header: (name: string) => string | null): boolean {
  if (status === 429) return true;
  return status === 403 && (header("x-ratelimit-remaining") === "0" || header("retry-after") !== null);
}
