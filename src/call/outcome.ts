import type { HeaderReader } from "./header-reader.js";
import { graphqlWords, saysTimeout } from "./outcome/graphql-words.js";
import { type PrimaryLimit, primaryLimit, type SecondaryLimit, secondaryLimit } from "./outcome/limits.js";
import { refusalWords } from "./outcome/refusal-words.js";
import { parseRetryAfter } from "./retry-after.js";

/** What an answer means for whoever may send again. */
export type Outcome =
  | { readonly kind: "ok" | "not-modified" | "redirect" }
  /** A GraphQL answer with errors that sending again does not mend, perhaps beside data. */
  | { readonly kind: "graphql-error" }
  /** The query asks for too many nodes or too much work; a smaller one may pass, the same one never. */
  | { readonly kind: "query-too-large" }
  /** A query ran out of its ten seconds, or failed in words that do not tell the two apart. It may have cost units. */
  | { readonly kind: "graphql-timeout"; readonly status: number }
  | PrimaryLimit
  | SecondaryLimit
  /** GitHub is unwell: 5xx, or a GraphQL 200 that says so or cannot be read. */
  | { readonly kind: "server-error"; readonly status: number; readonly retryAfterMs: number | undefined }
  /** Everything else from 400 on, a 403 for lack of permission among them. */
  | { readonly kind: "client-error"; readonly status: number };

/** What an answer means for whoever may send again, in one word. */
export type OutcomeKind =
  | "ok"
  | "not-modified"
  | "redirect"
  | "graphql-error"
  | "query-too-large"
  | "graphql-timeout"
  | "primary-limit"
  | "secondary-limit"
  | "server-error"
  | "client-error";

/** An answer as far as its outcome depends on it. */
export interface AnswerToClassify {
  readonly api: "rest" | "graphql";
  readonly status: number;
  readonly headers: HeaderReader;
  /** The text, or its first {@link OUTCOME_TEXT_LENGTH} characters; `undefined` without one (HEAD), or if it was lost. */
  readonly text: string | undefined;
}

const OK: Outcome = Object.freeze({ kind: "ok" });

/** Characters of text that are ever looked at. GitHub's error pages are some 10 kB, its JSON refusals under 1 kB. */
export const OUTCOME_TEXT_LENGTH = 65_536;

/**
 * Whether the outcome depends on the text; otherwise leave the body unread and pass `undefined`. It never does for a
 * REST answer that is no 403 or 429, whatever the body holds.
 */
export function outcomeDependsOnText(api: AnswerToClassify["api"], status: number): boolean {
  if (status === 403 || status === 429) return true;
  return api === "graphql" && (isSuccess(status) || (status >= 500 && !isGatewayTimeout(status)));
}

/**
 * The outcome of an answer, from the whole of it. `now` is GitHub's time, epoch milliseconds.
 *
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 * https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 *
 * @example
 * ```ts
 * const text = outcomeDependsOnText("rest", response.status) ? await response.text() : undefined;
 * const outcome = outcomeOf({ api: "rest", status: response.status, headers: response.headers, text }, Date.now());
 * if (outcome.kind === "primary-limit") console.log("again at", outcome.resetAt);
 * ```
 */
export function outcomeOf(answer: AnswerToClassify, now: number): Outcome {
  const { api, status, headers } = answer;
  if (status === 200 && api === "rest") return OK;
  if (status === 304) return { kind: "not-modified" };
  if (status >= 300 && status < 400) return { kind: "redirect" };
  const text = (outcomeDependsOnText(api, status) ? answer.text?.slice(0, OUTCOME_TEXT_LENGTH) : undefined) ?? "";
  if (isSuccess(status)) return api === "graphql" ? graphqlOutcome(answer, text, now) : { kind: "ok" };
  if (status === 403 || status === 429) return forbiddenOutcome(answer, text, now);
  if (status < 500) return { kind: "client-error", status };
  if (api === "graphql" && (isGatewayTimeout(status) || saysTimeout(text))) return { kind: "graphql-timeout", status };
  return { kind: "server-error", status, retryAfterMs: parseRetryAfter(headers.get("retry-after"), now) };
}

/** The order counts: the words first, since headers may promise units that are not there, or be of another limit. */
function forbiddenOutcome({ api, status, headers }: AnswerToClassify, text: string, now: number): Outcome {
  const words = refusalWords(text);
  if (words.kind === "secondary") return secondaryLimit(headers, now, "text", words.blocked);
  if (words.kind === "primary") return primaryLimit(headers, now, "text");
  if (api === "graphql") {
    const errors = graphqlWords(text, false);
    if (errors.kind === "secondary") return secondaryLimit(headers, now, "graphql-errors", errors.blocked);
    if (errors.kind === "primary") return primaryLimit(headers, now, "graphql-errors");
  }
  const isExhausted = headers.get("x-ratelimit-remaining") === "0";
  // The last unit may have gone to a request that was then refused for lack of permission.
  if (isExhausted && (status === 429 || words.kind === "none")) return primaryLimit(headers, now, "head");
  if (status === 429 || has(headers, "retry-after") || has(headers, "gh-limited-by")) {
    return secondaryLimit(headers, now, "head", "everything");
  }
  return { kind: "client-error", status };
}

function graphqlOutcome({ status, headers }: AnswerToClassify, text: string, now: number): Outcome {
  if (text.trimStart() === "") return { kind: "ok" };
  const words = graphqlWords(text, text.length >= OUTCOME_TEXT_LENGTH);
  switch (words.kind) {
    case "primary":
      return primaryLimit(headers, now, "graphql-errors", words.refused);
    case "secondary":
      return secondaryLimit(headers, now, "graphql-errors", words.blocked, words.refused);
    case "fine":
      return { kind: "ok" };
    case "errors":
      return { kind: "graphql-error" };
    case "too-large":
      return { kind: "query-too-large" };
    case "timeout":
      return { kind: "graphql-timeout", status };
    default:
      return { kind: "server-error", status, retryAfterMs: parseRetryAfter(headers.get("retry-after"), now) };
  }
}

function has(headers: HeaderReader, name: string): boolean {
  return (headers.get(name) ?? null) !== null;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** After ten seconds GitHub's gateway gives up, with a page or JSON. */
function isGatewayTimeout(status: number): boolean {
  return status === 502 || status === 504;
}
