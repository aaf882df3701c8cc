/** What a GraphQL document asks for; `unknown` when that cannot be told, so that callers assume the worst. */
export type GraphqlOperationKind = "query" | "mutation" | "subscription" | "unknown";

const NAME_START = /[_A-Za-z]/;
const NAME = /[_0-9A-Za-z]+/y;
/** Whitespace, commas, byte order marks and comments mean nothing (https://spec.graphql.org/draft/#Ignored). */
const IGNORED = /(?:[\s,\uFEFF]+|#[^\n\r]*)+/y;
/** What matters inside brackets: brackets, strings and comments. */
const BRACKET_STRING_COMMENT = /[()[\]{}"#]/g;

/**
 * The kind of the operation that would run: the one called `operationName`, or the first when no name is given. Looks at
 * no more of the document than it must, and does not check it; GitHub does.
 *
 * @see https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 *
 * @example
 * ```ts
 * graphqlOperationKind("mutation Close { closeIssue(input: { issueId: 1 }) { clientMutationId } }"); // "mutation"
 * ```
 */
export function graphqlOperationKind(document: string, operationName?: string | null): GraphqlOperationKind {
  let at = 0;
  for (;;) {
    at = skipIgnored(document, at);
    if (document[at] === '"') at = skipIgnored(document, skipString(document, at)); // a description
    if (at < 0 || at >= document.length) return "unknown";
    const kind = definitionAt(document, at);
    if (kind === undefined) return "unknown";
    if (kind.kind !== "fragment" && (!operationName || operationName === kind.name)) return kind.kind;
    at = skipDefinition(document, kind.next);
    if (at < 0) return "unknown";
  }
}

interface Definition {
  readonly kind: "query" | "mutation" | "subscription" | "fragment";
  readonly name: string | undefined;
  /** Where the definition goes on. */
  readonly next: number;
}

function definitionAt(document: string, start: number): Definition | undefined {
  if (document[start] === "{") return { kind: "query", name: undefined, next: start };
  const kind = nameAt(document, start);
  if (kind === "fragment") return { kind, name: undefined, next: start };
  if (kind !== "query" && kind !== "mutation" && kind !== "subscription") return undefined;
  let next = skipIgnored(document, start + kind.length);
  const name = nameAt(document, next);
  if (name !== undefined) next = skipIgnored(document, next + name.length);
  return /[({@]/.test(document[next] ?? "") ? { kind, name, next } : undefined;
}

/** The position after the selection set that ends the definition, or -1 where brackets do not match. */
function skipDefinition(document: string, start: number): number {
  const open: string[] = [];
  let at = start;
  for (;;) {
    BRACKET_STRING_COMMENT.lastIndex = at;
    const found = BRACKET_STRING_COMMENT.exec(document);
    if (found === null) return -1;
    const [mark] = found;
    at = found.index + 1;
    if (mark === '"') at = skipString(document, found.index);
    else if (mark === "#") at = skipIgnored(document, found.index);
    else if (mark === "{") open.push("}");
    else if (mark === "(") open.push(")");
    else if (mark === "[") open.push("]");
    else if (open.pop() !== mark) return -1;
    else if (mark === "}" && open.length === 0) return at;
    if (at < 0) return -1;
  }
}

/** The position after the string or block string at `start`, or -1 when it has no end. */
function skipString(document: string, start: number): number {
  if (document.startsWith('"""', start)) {
    let end = document.indexOf('"""', start + 3);
    while (end !== -1 && document[end - 1] === "\\") end = document.indexOf('"""', end + 3);
    return end === -1 ? -1 : end + 3;
  }
  for (let at = start + 1; at < document.length; at++) {
    const char = document[at];
    if (char === '"') return at + 1;
    if (char === "\n" || char === "\r") return -1;
    if (char === "\\") at++;
  }
  return -1;
}

function nameAt(document: string, at: number): string | undefined {
  if (!NAME_START.test(document[at] ?? "")) return undefined;
  return document.slice(at, skip(NAME, document, at));
}

function skipIgnored(document: string, at: number): number {
  return at < 0 ? at : Math.max(at, skip(IGNORED, document, at));
}

/** The position after what `pattern` matches at `at`, or -1. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
