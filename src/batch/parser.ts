import { isCredential } from "../options/describe-value.js";

/** The part of `graphql` that reads text. */
export type GraphqlParser = Pick<typeof import("graphql/language/parser.js"), "parse" | "parseType">;

/** No text that a person wrote is longer, and a longer one would take long to read. */
export const MAX_TOKENS = 50_000;

/** Loads it; the first batch has to wait for that. */
export function loadParser(): Promise<GraphqlParser> {
  return import("graphql/language/parser.js");
}

/** What the parser found wrong, in a few words for a person. */
export function syntaxProblem(error: unknown): string {
  const message = error instanceof Error ? error.message.replace(/^Syntax Error: |\.$/g, "") : "";
  // It quotes the text.
  return message === "" || isCredential(message) ? "it cannot be read" : message.slice(0, 200);
}
