/** What a secondary limit keeps from being done for a while. */
export type Blocked = "everything" | "content-creation" | "endpoint";

/** What a refusal's body says. */
export type RefusalWords =
  | { readonly kind: "primary" }
  | { readonly kind: "secondary"; readonly blocked: Blocked }
  /** It gives another reason: a permission, single sign-on, the terms of service. */
  | { readonly kind: "other" }
  /** Nothing that can be read. */
  | { readonly kind: "none" };

const NONE: RefusalWords = { kind: "none" };
const OTHER: RefusalWords = { kind: "other" };

/**
 * GitHub's refusals begin with what they are. What a repository, an organization or an issue is called is quoted further
 * on, and may say anything: hence the beginnings.
 */
const PRIMARY = /^(?:github )?(?:graphql )?(?:api )?rate limit (?:already )?exceeded\b/i;
const SECONDARY = /^(?:you have exceeded a |you have hit a )?secondary rate limit\b/i;
/** Its name before 2021, still seen on older servers. */
const ABUSE = /^you have triggered an abuse detection mechanism\b/i;
/** With plenty of quota left: https://github.com/actions/configure-pages/issues/190. */
const THROTTLED = /^this endpoint is temporarily being throttled\b/i;
/** The title of the page that stands in for JSON. */
const LIMIT_PAGE = /^rate limit (?:&middot;|·) github$/i;
/** Of a `documentation_url`; the page itself explains both limits, and is linked from both. */
const SECONDARY_ANCHOR = /(?:secondary|#abuse)-rate-limits$/;

/**
 * What the body of a 403 or 429 says: GitHub's JSON, also when it was cut off; a page; plain text.
 *
 * https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api#rate-limit-errors
 */
export function refusalWords(text: string): RefusalWords {
  const start = text.trimStart();
  if (start.startsWith("{")) return jsonWords(start);
  if (start.startsWith("<")) return firstKnown(start.split(/<[^<>]*>/));
  return firstKnown([start]);
}

/** What one message of GitHub's says, if it speaks of a limit. */
export function limitWords(message: string): RefusalWords | undefined {
  if (SECONDARY.test(message) || ABUSE.test(message)) {
    return { kind: "secondary", blocked: /\bcontent creation\b/i.test(message) ? "content-creation" : "everything" };
  }
  if (THROTTLED.test(message)) return { kind: "secondary", blocked: "endpoint" };
  if (LIMIT_PAGE.test(message)) return { kind: "secondary", blocked: "everything" };
  return PRIMARY.test(message) ? { kind: "primary" } : undefined;
}

function jsonWords(text: string): RefusalWords {
  const { message, documentationUrl } = parsed(text) ?? cutOff(text);
  const words = limitWords(message.trimStart());
  if (words !== undefined) return words;
  if (SECONDARY_ANCHOR.test(documentationUrl)) return { kind: "secondary", blocked: "everything" };
  return message === "" ? NONE : OTHER;
}

/** Words on a page that are not GitHub's known ones prove nothing: a gateway wrote it. */
function firstKnown(pieces: readonly string[]): RefusalWords {
  for (const piece of pieces) {
    const words = limitWords(piece.trim());
    if (words !== undefined) return words;
  }
  return NONE;
}

interface Fields {
  readonly message: string;
  readonly documentationUrl: string;
}

function parsed(text: string): Fields | undefined {
  try {
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return { message: string(body.message), documentationUrl: string(body.documentation_url) };
  } catch {
    return undefined;
  }
}

function cutOff(text: string): Fields {
  const field = (name: string): string => new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`).exec(text)?.[1] ?? "";
  return { message: field("message"), documentationUrl: field("documentation_url") };
}

function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}
