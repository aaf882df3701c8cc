import type { Priority } from "../light.js";
import type { Book } from "./book.js";
import type { Division } from "./division.js";
import { isBlind } from "./probe.js";
import type { PerClass } from "./quota-document.js";
import type { Standing } from "./standing.js";
import { TURNOVER_GUARD_MS } from "./windows.js";

/** Urgent classes ask more often. */
const PACE: PerClass<number> = [0.25, 1, 1.5];

/** Of a window: the first wait after a denial, and the longest. */
const FIRST_SHARE = 1 / 120;
const LONGEST_SHARE = 1 / 20;

/** How often to ask while a probe is out: about as long as an exchange takes. */
const PROBE_RETRY_MS = 1_000;

/**
 * When a denied class should ask again. Units come back one by one, each to one of those who wait, so the first wait is
 * at least as long as a unit of the window lasts for each of them; then it doubles. Unregulated asking was most of the
 * store's traffic.
 */
export function retryAtFor(
  book: Book,
  priority: Priority,
  denials: number,
  standing: Standing,
  division: Division,
  now: number,
): number {
  const pace = PACE[priority];
  if (isBlind(book, now)) return now + PROBE_RETRY_MS * pace;
  const afterReset = book.resetAt === null ? Number.POSITIVE_INFINITY : Math.max(now, book.resetAt + TURNOVER_GUARD_MS);
  if (book.resetAt !== null && (now >= book.resetAt || book.used >= standing.limit)) return afterReset;
  const unitMs = book.windowMs / Math.max(1, standing.limit);
  const firstMs = Math.max(FIRST_SHARE * book.windowMs, unitMs * division[priority].spenders);
  const longestMs = Math.max(firstMs, LONGEST_SHARE * book.windowMs);
  return Math.min(now + pace * Math.min(firstMs * 2 ** Math.min(20, denials), longestMs), afterReset);
}
