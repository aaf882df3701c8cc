import { type OutcomeKind, outcomeOf } from "../call/outcome.js";

/**
 * What an answer meant that Octokit made an error of, where no squad was there to see it; undefined if there was no answer.
 *
 * `now` is epoch milliseconds.
 */
export function outcomeOfError(error: unknown, now: number): OutcomeKind | undefined {
  const { errors, data, status, response } = error as {
    readonly errors?: unknown;
    readonly data?: unknown;
    readonly status?: unknown;
    readonly response?: { readonly data?: unknown };
  };
  const headers = { get: () => null };
  if (Array.isArray(errors)) {
    // The data says nothing but that there is some, and may be long.
    const text = JSON.stringify({ data: typeof data === "object" && data !== null ? {} : null, errors });
    return outcomeOf({ api: "graphql", status: 200, headers, text }, now).kind;
  }
  if (typeof status !== "number" || response === undefined) return undefined;
  const text = typeof response.data === "string" ? response.data : JSON.stringify(response.data ?? null);
  return outcomeOf({ api: "graphql", status, headers, text }, now).kind;
}
