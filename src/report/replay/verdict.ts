/**
 * What became of an exchange, judged by what could have been:
 * - `free`: it cost nothing and said what was wanted, such as a 304;
 * - `duplicate`: an identical read was under way, whose answer it could have shared;
 * - `cacheable`: it was charged although nothing had changed; with a validator it is a free 304;
 * - `avoidable`: it need not have been sent, for the reason told;
 * - `cannot-tell`: the trace does not say enough;
 * - `irreducible`: the rest.
 */
export type ExchangeClass = "free" | "duplicate" | "cacheable" | "avoidable" | "cannot-tell" | "irreducible";

/**
 * Why it need not have been sent:
 * - `refused`: a limit refused it;
 * - `sent-while-blocked`: a limit refused it that was known to stand;
 * - `retried-in-vain`: it was tried again, and failed again;
 * - `asked-again`: it had failed for good (403, 404, 410, 451), and nothing was written since;
 * - `query-repeated`: a query that gave the answer that it had given, and nothing was written since.
 */
export type AvoidableReason = "refused" | "sent-while-blocked" | "retried-in-vain" | "asked-again" | "query-repeated";

/** One exchange's class. */
export interface Verdict {
  readonly kind: ExchangeClass;
  readonly reason?: AvoidableReason;
}

export const FREE: Verdict = Object.freeze({ kind: "free" });
export const DUPLICATE: Verdict = Object.freeze({ kind: "duplicate" });
export const CACHEABLE: Verdict = Object.freeze({ kind: "cacheable" });
export const CANNOT_TELL: Verdict = Object.freeze({ kind: "cannot-tell" });
export const IRREDUCIBLE: Verdict = Object.freeze({ kind: "irreducible" });
export const REFUSED: Verdict = Object.freeze({ kind: "avoidable", reason: "refused" });
export const SENT_WHILE_BLOCKED: Verdict = Object.freeze({ kind: "avoidable", reason: "sent-while-blocked" });
export const RETRIED_IN_VAIN: Verdict = Object.freeze({ kind: "avoidable", reason: "retried-in-vain" });
export const ASKED_AGAIN: Verdict = Object.freeze({ kind: "avoidable", reason: "asked-again" });
export const QUERY_REPEATED: Verdict = Object.freeze({ kind: "avoidable", reason: "query-repeated" });

/** Whether squadRate alone, without a change of what agents do, would have spared its units. */
export function isSparedBySquad({ kind, reason }: Verdict): boolean {
  if (kind === "avoidable") return reason === "refused" || reason === "sent-while-blocked";
  return kind === "duplicate" || kind === "cacheable";
}
