import type { CheckedRead } from "./check-guard.js";
import type { GuardAnswer } from "./signature.js";

/**
 * What is wrong with an answer that Octokit gives as a success although it is none: of a body that breaks off Octokit makes an
 * empty text, and of JSON that is cut short the text as it came. It must not pass for news. Undefined: nothing is wrong.
 */
export function brokenAnswer(
  { route, params }: CheckedRead,
  { status, data, headers }: GuardAnswer,
): Error | undefined {
  if (status !== 200 || typeof data !== "string") return undefined;
  const where = route.split("?")[0];
  if (data === "" && headers["content-length"] !== "0") return new Error(`${where} was answered without content.`);
  const type = String(headers["content-type"] ?? "");
  // GitHub's own types name the format before it: application/vnd.github.v3.raw; application/vnd.github+json.
  if (/^application\/(?:[\w.]+\+)?json\b/.test(type))
    return new Error(`${where} was answered with JSON that is cut short.`);
  if (type.startsWith("text/html") && !choosesFormat(params)) return new Error(`${where} was answered with a page.`);
  return undefined;
}

/** Whether the caller says in what form the answer is to be. */
function choosesFormat({ headers, mediaType }: CheckedRead["params"]): boolean {
  const accept = typeof headers === "object" && headers !== null && "accept" in headers;
  const format = typeof mediaType === "object" && mediaType !== null && "format" in mediaType;
  return accept || format;
}
