import { describeValue, isCredential } from "../options/describe-value.js";
import { loadParser } from "./load-parser.js";

/**
 * Why a document, or an operation of it, cannot be read; in a few words, for a person.
 *
 * @example
 * ```ts
 * await whyUnreadable("query { viewer", undefined); // 'Expected Name, found <EOF>, in line 1, column 15'
 * ```
 */
export async function whyUnreadable(document: string, operationName: string | undefined): Promise<string> {
  const { parse } = await loadParser();
  try {
    const operations = parse(document, { maxLexicalTokens: MAX_TOKENS }).definitions.flatMap((one) =>
      one.kind === OPERATION ? [one] : [],
    );
    if (operations.length === 0) return "it has no operation, only fragments or types";
    if (operationName !== undefined) return `it has no operation called ${describeValue(operationName)}`;
    return operations.length > 1 ? "it has several operations, and none is chosen" : "it is too long";
  } catch (error) {
    return syntaxProblem(error);
  }
}

const MAX_TOKENS = 200_000;
const OPERATION = "OperationDefinition" as const;

function syntaxProblem(error: unknown): string {
  const { message = "", locations } = error as {
    message?: string;
    locations?: readonly { line: number; column: number }[];
  };
  const [at] = locations ?? [];
  const what = message.replace(/^Syntax Error: /, "").replace(/\.$/, "");
  // It quotes the text.
  if (isCredential(what)) return "its syntax is wrong";
  return at === undefined ? what : `${what}, in line ${at.line}, column ${at.column}`;
}
