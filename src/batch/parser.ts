import { isCredential } from "../options/describe-value.js";

/** No text that a person wrote is longer, and a longer one would take long to read. */
export const MAX_TOKENS = 50_000;

/** What the parser found wrong, in a few words for a person. */
export function syntaxProblem(error: unknown): string {
  const message = error instanceof Error ? error.message.replace(/^Syntax Error: |\.$/g, "") : "";
  // It quotes the text.
  return message === "" || isCredential(message) ? "it cannot be read" : message.slice(0, 200);
}
