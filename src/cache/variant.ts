import { hasNext, isReadable, mayBeFullPage } from "./link.js";

/** The headers that are kept beside a body; all others come live with each answer. */
export const KEPT_HEADERS: readonly string[] = [
  "content-type",
  "link",
  "last-modified",
  "cache-control",
  "vary",
  "x-github-media-type",
  "x-poll-interval",
  "deprecation",
  "sunset",
];

/** As they came: a Link may lead to another origin, from behind a proxy or to the documentation of a deprecation. */
export function keptHeaders(headers: ReadonlyMap<string, string>): Map<string, string> {
  const kept = new Map<string, string>();
  for (const name of KEPT_HEADERS) {
    const value = headers.get(name);
    if (value !== undefined) kept.set(name, value);
  }
  return kept;
}

/** What a {@link Variant} is made of. */
export interface VariantParts {
  readonly body: string;
  /** The body's size in UTF-8. */
  readonly bytes: number;
  /** Only names of {@link KEPT_HEADERS}. */
  readonly headers: ReadonlyMap<string, string>;
  /** Whether the ETag formula held, so that other credentials may ask GitHub about this body. */
  readonly verified: boolean;
  /** Whether it came out of the store, where others than this process can write. */
  readonly fromStore: boolean;
}

/** One representation that GitHub gave for a key. */
export class Variant implements VariantParts {
  readonly body: string;
  readonly bytes: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly verified: boolean;
  readonly fromStore: boolean;
  readonly #url: string;
  #mayHaveGrown: boolean | undefined;

  /** `url` is the address of the request, whose page size decides when a list may have grown. */
  constructor({ body, bytes, headers, verified, fromStore }: VariantParts, url: string) {
    this.body = body;
    this.bytes = bytes;
    this.headers = headers;
    this.verified = verified;
    this.fromStore = fromStore;
    this.#url = url;
  }

  /** What the body takes in memory: two bytes a character unless all are ASCII. */
  get heapBytes(): number {
    return this.bytes === this.body.length ? this.bytes : 2 * this.body.length;
  }

  /**
   * Whether an unchanged ETag would not prove that this page is still complete; it must then be fetched without one.
   * Counted once, on first use.
   */
  mayHaveGrown(): boolean {
    this.#mayHaveGrown ??= mayHaveGrown(this, this.#url);
    return this.#mayHaveGrown;
  }
}

/** What GitHub told one credential about a variant, and when. */
export interface Validation {
  readonly variant: Variant;
  /** The validator that this credential sends for it. */
  readonly etag: string;
  /** The final address, after redirects on one origin. */
  readonly url: string;
  readonly redirected: boolean;
  readonly date: string | undefined;
  /** The count of completed writes when the exchange began. */
  readonly startedAfterWrite: number;
  /** Monotonic milliseconds at which the exchange began. */
  readonly startedAt: number;
}

/**
 * GitHub's ETag does not cover Link: a list that grows past a page leaves this page's ETag as it was. So a full page
 * without a next one proves nothing, nor does an empty page with links, which lies past the end wherever that is. From
 * the store, a short page *with* a next one is doubted as well, since anybody who can write there could have added the
 * link. A Link that came mangled would stay so for as long as the body does.
 */
function mayHaveGrown(variant: VariantParts, url: string): boolean {
  const link = variant.headers.get("link");
  if (link !== undefined && !isReadable(link)) return true;
  if (!/^\s*\[/.test(variant.body)) return variant.fromStore && mayBePageOfObject(variant, url);
  const next = hasNext(link);
  if (next && !variant.fromStore) return false;
  let length: number;
  try {
    length = (JSON.parse(variant.body) as unknown[]).length;
  } catch {
    return true;
  }
  if (length === 0) return link !== undefined;
  const full = mayBeFullPage(length, url);
  return next ? !full : full;
}

/**
 * A list within an object (check runs, the commits of a comparison) tells its size beside it, so that its ETag changes
 * when it grows. But a link that somebody added to it in the store, or took away, could not be told from GitHub's.
 */
function mayBePageOfObject({ body, headers }: VariantParts, url: string): boolean {
  if (headers.has("link")) return true;
  let members: unknown[];
  try {
    members = Object.values(JSON.parse(body) as object);
  } catch {
    return true;
  }
  return members.some((member) => Array.isArray(member) && mayBeFullPage(member.length, url));
}
