import type { CacheOutcome } from "../call/cache-outcome.js";
import type { Variant } from "./variant.js";

/** An answer whose body is in memory; each adapter renders it in its own way. */
export interface StoredAnswer {
  readonly kind: "stored";
  readonly how: CacheOutcome;
  readonly variant: Variant;
  readonly url: string;
  readonly redirected: boolean;
  /** What came with this exchange and overlays the variant's own headers; undefined when GitHub was not asked. */
  readonly live: Map<string, string> | undefined;
  /** For answers without an exchange: what GitHub said when it was last asked, and how long ago. */
  readonly remembered: { readonly etag: string; readonly date: string | undefined; readonly ageMs: number } | undefined;
}

/** An answer that goes through as it came. */
export interface PassedAnswer {
  readonly kind: "pass";
  readonly response: Response;
}

export type Answer = StoredAnswer | PassedAnswer;

/** Headers of a 304 that describe its own empty body and say nothing about the stored one. */
const OF_THE_EXCHANGE: ReadonlySet<string> = new Set([
  "content-length",
  "content-encoding",
  "transfer-encoding",
  "content-type",
]);

/** The headers that the caller sees: the stored ones, overlaid by the live ones (RFC 9111 §3.2), and how it came about. */
export function headersOf(answer: StoredAnswer): Map<string, string> {
  const { live, remembered, how } = answer;
  // Laid out for this answer alone, and complete.
  if (live !== undefined && (how === "miss" || how === "changed")) return live.set("x-squad-rate", how);
  const headers = new Map(answer.variant.headers);
  if (live !== undefined) {
    for (const [name, value] of live) if (!OF_THE_EXCHANGE.has(name)) headers.set(name, value);
  }
  if (remembered !== undefined) {
    headers.set("etag", remembered.etag);
    if (remembered.date !== undefined) headers.set("date", remembered.date);
    headers.set("age", String(Math.floor(remembered.ageMs / 1000)));
  }
  return headers.set("x-squad-rate", how);
}
