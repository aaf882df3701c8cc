import type { AnswerToClassify, Outcome } from "../../../src/call/outcome.js";

/** GitHub's time in all forms. */
export const NOW: number = Date.UTC(2026, 0, 1);

/** One form of an answer, and its outcome. */
export interface Form {
  readonly name: string;
  readonly api?: AnswerToClassify["api"];
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value that is no string is sent as JSON. */
  readonly body?: unknown;
  readonly outcome: Outcome["kind"];
  /** More of the outcome, where it matters. */
  readonly with?: Readonly<Record<string, unknown>>;
}

/** The answer that a form describes. */
export function answerOf({ api = "rest", status, headers = {}, body }: Form): AnswerToClassify {
  const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
  return { api, status, headers: new Headers(headers), text };
}

/** Rate headers of a window that ends in ten minutes. */
export function rate(remaining: number, limit = 5_000, resource = "core"): Readonly<Record<string, string>> {
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-used": String(limit - remaining),
    "x-ratelimit-reset": String(NOW / 1_000 + 600),
    "x-ratelimit-resource": resource,
  };
}

/** What `rate` says of the window's end. */
export const RESET_AT: number = NOW + 600_000;
