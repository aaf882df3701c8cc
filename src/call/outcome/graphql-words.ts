import { type Blocked, limitWords, refusalWords } from "./refusal-words.js";

/**
 * How much of a document was refused: `whole` means that nothing of it was carried out, so that even a mutation may be
 * sent again; of a `part`, some fields were or may have been.
 */
export type Refused = "whole" | "part";

/** What the text of a GraphQL answer says. */
export type GraphqlWords =
  | { readonly kind: "primary"; readonly refused: Refused }
  | { readonly kind: "secondary"; readonly refused: Refused; readonly blocked: Blocked }
  /** No trouble; or too long to be looked at. */
  | { readonly kind: "fine" }
  /** The query asks for too many nodes or too much work. */
  | { readonly kind: "too-large" }
  | { readonly kind: "timeout" }
  /** GitHub could not answer, and says so. */
  | { readonly kind: "unavailable" }
  /** Other errors: a field that does not exist, a thing that is not found, a permission. */
  | { readonly kind: "errors" }
  /** Not GraphQL's JSON, or not all of it. */
  | { readonly kind: "unreadable" };

/** One error of a list, as far as it matters here; nothing about it is sure. */
type GraphqlError = Readonly<Record<string, unknown>>;

const RATE_LIMIT_TYPES: ReadonlySet<unknown> = new Set(["RATE_LIMITED", "RATE_LIMIT"]);
const TOO_LARGE_TYPES: ReadonlySet<unknown> = new Set(["MAX_NODE_LIMIT_EXCEEDED", "RESOURCE_LIMITS_EXCEEDED"]);
const UNAVAILABLE_TYPES: ReadonlySet<unknown> = new Set(["SERVICE_UNAVAILABLE", "INTERNAL"]);
const TIMEOUT = /^(?:something went wrong while executing your query|we couldn't respond to your request in time)\b/i;
/** How the content limiter speaks of one field of a mutation. */
const TOO_QUICKLY = /^(?:\w+ )?was submitted too quickly\b/i;

/** An answer as it nearly always begins; without the key `errors` there is nothing more to find out. */
const DATA_FIRST = /^\s*\{\s*"data"\s*:/;
/** Quotes within a string are escaped, so this is never content; it may be an alias, which parsing tells. */
const ERRORS_KEY = '"errors"';

/**
 * What a GraphQL answer's text says. `cut` when it is, or may be, only the beginning: then it is data, for refusals are
 * short. An answer without errors is not parsed, only searched for the key.
 */
export function graphqlWords(text: string, cut: boolean): GraphqlWords {
  if (cut) return { kind: "fine" };
  if (DATA_FIRST.test(text) && !text.includes(ERRORS_KEY)) {
    return text.trimEnd().endsWith("}") ? { kind: "fine" } : { kind: "unreadable" };
  }
  const body = parsed(text);
  if (body === undefined) return brokenWords(text);
  const { data, errors, message } = body;
  if (Array.isArray(errors) && errors.length > 0) return errorWords(data, errors.filter(isObject));
  if (data === undefined && typeof message === "string") return messageWords(text);
  return { kind: "fine" };
}

/** Whether an error says that the query ran out of its ten seconds, in GitHub's words. */
export function saysTimeout(text: string): boolean {
  const body = parsed(text);
  const errors = Array.isArray(body?.errors) ? body.errors.filter(isObject) : [];
  return [body?.message, ...errors.map((error) => error.message)].some(isTimeout);
}

function errorWords(data: unknown, errors: readonly GraphqlError[]): GraphqlWords {
  const secondary = errors.map(secondaryOf).find((blocked) => blocked !== undefined);
  if (secondary !== undefined) return { kind: "secondary", blocked: secondary, refused: refusedOf(data, errors) };
  if (errors.some(isPrimary)) return { kind: "primary", refused: refusedOf(data, errors) };
  if (errors.some(({ type }) => TOO_LARGE_TYPES.has(type))) return { kind: "too-large" };
  if (errors.some(({ message }) => isTimeout(message))) return { kind: "timeout" };
  return { kind: errors.some(({ type }) => UNAVAILABLE_TYPES.has(type)) ? "unavailable" : "errors" };
}

/** A field that was carried out has data, or an error of another kind, or an error further down its path. */
function refusedOf(data: unknown, errors: readonly GraphqlError[]): Refused {
  const hasData = typeof data === "object" && data !== null && Object.values(data).some((value) => value !== null);
  const wholly = errors.every(
    (error) =>
      (isPrimary(error) || secondaryOf(error) !== undefined) && (!Array.isArray(error.path) || error.path.length <= 1),
  );
  return wholly && !hasData ? "whole" : "part";
}

function isPrimary({ type, code, extensions, message }: GraphqlError): boolean {
  if (RATE_LIMIT_TYPES.has(type) || code === "graphql_rate_limit") return true;
  if (isObject(extensions) && extensions.code === "graphql_rate_limit") return true;
  return typeof message === "string" && limitWords(message)?.kind === "primary";
}

function secondaryOf({ message }: GraphqlError): Blocked | undefined {
  if (typeof message !== "string") return undefined;
  if (TOO_QUICKLY.test(message)) return "content-creation";
  const words = limitWords(message);
  return words?.kind === "secondary" ? words.blocked : undefined;
}

function isTimeout(message: unknown): boolean {
  return typeof message === "string" && TIMEOUT.test(message);
}

/** A refusal in the form of REST, in the place of a GraphQL answer. */
function messageWords(text: string): GraphqlWords {
  const words = refusalWords(text);
  if (words.kind === "primary") return { kind: "primary", refused: "whole" };
  if (words.kind === "secondary") return { ...words, refused: "whole" };
  return { kind: saysTimeout(text) ? "timeout" : "errors" };
}

/** GitHub was seen to break off in the middle of the errors of a query that is too large. */
function brokenWords(text: string): GraphqlWords {
  const from = text.indexOf(ERRORS_KEY);
  const types = from < 0 ? [] : [...text.slice(from).matchAll(/"type"\s*:\s*"(\w+)"/g)].map(([, type]) => type);
  if (types.some((type) => RATE_LIMIT_TYPES.has(type))) return { kind: "primary", refused: "part" };
  return { kind: types.some((type) => TOO_LARGE_TYPES.has(type)) ? "too-large" : "unreadable" };
}

function parsed(text: string): GraphqlError | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? body : {};
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is GraphqlError {
  return typeof value === "object" && value !== null;
}
