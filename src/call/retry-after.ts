import { parseHttpDate } from "./http-date.js";

/** GitHub asks for minutes, an hour at worst; a longer wait is taken for this. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/** What is further from now than this, either way, is no wait that anybody meant: an epoch, milliseconds, a wrong clock. */
const BELIEVABLE_MS = 24 * 3_600_000;

/**
 * How long a `Retry-After` asks to wait, in milliseconds, at most {@link MAX_RETRY_AFTER_MS}: from whole seconds or from
 * an HTTP date. 0 when the time has passed or is now. `undefined` without the header, and for nonsense, since a wrong
 * number here would let a refused client go on or stop a whole fleet. `now` is the server's time, epoch milliseconds.
 *
 * https://www.rfc-editor.org/rfc/rfc9110.html#section-10.2.3
 *
 * @example
 * ```ts
 * parseRetryAfter(response.headers.get("retry-after"), Date.now()); // "60" gives 60000
 * ```
 */
export function parseRetryAfter(value: string | null | undefined, now: number): number | undefined {
  const waitMs = /^\d{1,15}$/.test(value ?? "") ? Number(value) * 1_000 : untilDate(value ?? "", now);
  if (waitMs === undefined || Math.abs(waitMs) > BELIEVABLE_MS) return undefined;
  return Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}

function untilDate(text: string, now: number): number | undefined {
  const at = parseHttpDate(text, now);
  return at === undefined ? undefined : at - now;
}
