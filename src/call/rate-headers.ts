/** What an answer's rate headers say; `used` is derived where an older server leaves it out. */
export type RateHeaders =
  | { readonly kind: "none" }
  | {
      readonly kind: "seen";
      /** GitHub's name of the resource; `undefined` where an older server leaves it out. */
      readonly resource: string | undefined;
      readonly limit: number;
      readonly used: number;
      readonly remaining: number;
      /** Epoch milliseconds, GitHub's clock. */
      readonly resetAt: number;
    }
  | { readonly kind: "nonsense"; readonly why: string };

const NONE: RateHeaders = { kind: "none" };

/** Far above any limit GitHub grants (15,000), and well inside exact integers. */
const MAX_UNITS = 1_000_000_000;

/** Ends in the year 9999, and catches a reset given in milliseconds. */
const MAX_RESET_S = 253_402_300_799;

/** Fewer than where whole numbers stop being exact. */
const MAX_DIGITS = 15;

/** Resource names become labels and map keys, so their shape is checked. */
const RESOURCE = /^[a-z][a-z0-9_-]{0,63}$/;

/**
 * Reads the five `x-ratelimit-*` headers. Strict: a header that is not a plain whole number within bounds makes the
 * whole set nonsense, for a wrong number here would stop or flood every call. Whether the reset is near enough to be
 * believed is for whoever knows GitHub's time.
 *
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#checking-the-status-of-your-rate-limit
 *
 * @example
 * ```ts
 * const rate = parseRateHeaders((name) => response.headers.get(name));
 * if (rate.kind === "seen") console.log(`${rate.remaining} of ${rate.limit} left`);
 * ```
 */
export function parseRateHeaders(get: (name: string) => string | null): RateHeaders {
  const limitText = get("x-ratelimit-limit");
  const remainingText = get("x-ratelimit-remaining");
  const resetText = get("x-ratelimit-reset");
  if (limitText === null && remainingText === null && resetText === null) return NONE;

  const limit = wholeNumber(limitText, MAX_UNITS);
  // A limit of 0 would lock the resource for good; GitHub's refusals speak for themselves.
  if (limit === undefined || limit === 0) return nonsense("limit", limitText);
  const remaining = wholeNumber(remainingText, limit);
  if (remaining === undefined) return nonsense("remaining", remainingText);
  const resetS = wholeNumber(resetText, MAX_RESET_S);
  if (resetS === undefined) return nonsense("reset", resetText);
  const usedText = get("x-ratelimit-used");
  const used = usedText === null ? limit - remaining : wholeNumber(usedText, MAX_UNITS);
  if (used === undefined) return nonsense("used", usedText);
  const resource = get("x-ratelimit-resource") ?? undefined;
  if (resource !== undefined && !RESOURCE.test(resource)) return nonsense("resource", resource);

  return { kind: "seen", resource, limit, used, remaining, resetAt: resetS * 1_000 };
}

/** By hand, since it reads four headers of every answer: a regular expression and `Number` take three times as long. */
function wholeNumber(text: string | null, max: number): number | undefined {
  if (text === null || text.length === 0 || text.length > MAX_DIGITS) return undefined;
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value <= max ? value : undefined;
}

function nonsense(name: string, text: string | null): RateHeaders {
  const said = text === null ? "is missing" : `is ${JSON.stringify(text.slice(0, 40))}`;
  return { kind: "nonsense", why: `x-ratelimit-${name} ${said}` };
}
