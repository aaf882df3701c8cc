import type { HeaderReader } from "../header-reader.js";
import { parseRetryAfter } from "../retry-after.js";
import type { Refused } from "./graphql-words.js";
import type { Blocked } from "./refusal-words.js";

/** The quota of the resource is used up. */
export interface PrimaryLimit extends Refusal {
  readonly kind: "primary-limit";
  /** When the window ends: epoch milliseconds on GitHub's clock; `undefined` when not told, or told nonsense. */
  readonly resetAt: number | undefined;
}

/**
 * Too much at a time. The window's end says nothing about it, hence no `resetAt`: what remains of the quota is for
 * whoever reads the rate headers.
 */
export interface SecondaryLimit extends Refusal {
  readonly kind: "secondary-limit";
  readonly blocked: Blocked;
}

interface Refusal {
  /** What gave it away: the text; errors of GraphQL's; the status and headers alone. */
  readonly how: "text" | "graphql-errors" | "head";
  /** Whether nothing was carried out; REST refuses as a whole. */
  readonly refused: Refused;
  /** How long GitHub asks to wait, milliseconds, bounded; `undefined` when it does not say. 0 is what it said. */
  readonly retryAfterMs: number | undefined;
}

/** GitHub's longest window. */
const LONGEST_WINDOW_MS = 3_600_000;
/** How far GitHub's clock and ours, and one answer's reset and the next's, may differ. */
const TOLERANCE_MS = 60_000;

/** A primary limit, with what the headers say of its end. `now` is GitHub's time, epoch milliseconds. */
export function primaryLimit(
  headers: HeaderReader,
  now: number,
  how: PrimaryLimit["how"],
  refused: Refused = "whole",
): PrimaryLimit {
  const retryAfterMs = parseRetryAfter(headers.get("retry-after"), now);
  return { kind: "primary-limit", how, refused, retryAfterMs, resetAt: believableReset(headers, now) };
}

/** A secondary limit, with the wait that the headers ask for. `now` is GitHub's time, epoch milliseconds. */
export function secondaryLimit(
  headers: HeaderReader,
  now: number,
  how: SecondaryLimit["how"],
  blocked: Blocked,
  refused: Refused = "whole",
): SecondaryLimit {
  const retryAfterMs = parseRetryAfter(headers.get("retry-after"), now);
  return { kind: "secondary-limit", how, refused, retryAfterMs, blocked };
}

/** Not long past, and not beyond the longest window. Read without the other rate headers, which a refusal may lack. */
function believableReset(headers: HeaderReader, now: number): number | undefined {
  const text = headers.get("x-ratelimit-reset") ?? "";
  if (!/^\d{1,12}$/.test(text)) return undefined;
  const resetAt = Number(text) * 1_000;
  const isNear = resetAt >= now - TOLERANCE_MS && resetAt <= now + LONGEST_WINDOW_MS + TOLERANCE_MS;
  return isNear ? resetAt : undefined;
}
