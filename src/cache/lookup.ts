import type { EtagInputs } from "./etag.js";
import { cacheKey } from "./key.js";

/** A read, as the cache sees it. */
export interface Lookup {
  readonly key: string;
  /** Key and credential: what an exchange must have in common with a read to serve it. */
  readonly flightId: string;
  readonly credential: string;
  readonly url: string;
  readonly host: string;
  readonly accept: string;
  readonly inputs: EtagInputs;
}

/** The parts of a request that {@link lookupOf} reads. */
export interface LookupRequest {
  readonly url: string;
  readonly host: string;
  /** Fingerprint of everything that identifies the caller to GitHub. */
  readonly credential: string;
  header(name: string): string | undefined;
}

/** Path prefixes that no cache may touch: the quota's own state, and tokens. */
const NEVER_KEPT = /^https?:\/\/[^/]+(?:\/api\/v3)?\/(?:rate_limit(?:$|[?#])|login\/oauth\/|applications\/)/i;

/**
 * What the cache may do for a GET, or undefined when it must keep its hands off: the caller validates by itself, wants a
 * part, forbids caching, or asks for something that is never kept.
 */
export function lookupOf(request: LookupRequest): Lookup | undefined {
  for (const name of HANDS_OFF) if (request.header(name) !== undefined) return undefined;
  const control = request.header("cache-control");
  if (control !== undefined && /no-store|no-cache/i.test(control)) return undefined;
  if (NEVER_KEPT.test(request.url)) return undefined;
  // `fetch` sends this when the caller names nothing, and the ETag covers it.
  const accept = request.header("accept") ?? "*/*";
  const key = cacheKey({
    url: request.url,
    accept,
    apiVersion: request.header("x-github-api-version") ?? "",
    requestedWith: request.header("x-requested-with") ?? "",
    userAgent: request.header("user-agent") ?? "",
  });
  return {
    key,
    flightId: `${request.credential}\n${key}`,
    credential: request.credential,
    url: request.url,
    host: request.host,
    accept,
    inputs: { accept, authorization: request.header("authorization"), cookie: request.header("cookie") },
  };
}

const HANDS_OFF: readonly string[] = [
  "if-none-match",
  "if-modified-since",
  "if-match",
  "if-unmodified-since",
  "if-range",
  "range",
];

/** The path of an absolute address, without query and fragment. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start === -1) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}
