import { judgeStoredLink } from "./link.js";
import { isStorable } from "./storable.js";
import { KEPT_HEADERS, Variant } from "./variant.js";

/** Goes up whenever the meaning of a stored entry changes; another number is a miss. */
const CODEC_VERSION = 1;

/** The one content type that entries in the store have, so that nobody with access to it can change how a body is read. */
const JSON_TYPE = "application/json; charset=utf-8";

/** Nobody can vouch for these once they have lain in a store, and callers act on them: such answers are not stored. */
const NOT_FROM_A_STORE: readonly string[] = ["x-poll-interval", "deprecation", "sunset"];

/** An entry as the store keeps it: a body and a few headers, no validator, no flag. */
export interface StoredEntry {
  readonly v: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Whether a request with this Accept header always gets JSON from GitHub when its answer is {@link JSON_TYPE}. `gh api` leaves
 * it empty.
 */
export function mayUseStore(accept: string): boolean {
  return /^(?:|\*\/\*|application\/json|application\/vnd\.github(?:\.v3)?\+json)$/.test(accept);
}

/** The entry to store for a variant, or undefined when it could not be trusted on the way back. */
export function encodeEntry(variant: Variant, url: string): StoredEntry | undefined {
  if (!variant.verified || variant.headers.get("content-type") !== JSON_TYPE || !looksLikeJson(variant.body))
    return undefined;
  if (NOT_FROM_A_STORE.some((name) => variant.headers.has(name))) return undefined;
  if (judgeStoredLink(variant.headers.get("link"), url).kind !== "trusted") return undefined;
  return { v: CODEC_VERSION, body: variant.body, headers: Object.fromEntries(variant.headers) };
}

/**
 * A variant out of a store's value, whoever wrote it; undefined when it is not exactly what {@link encodeEntry} makes.
 *
 * A forged body is harmless: the validator is computed from it, so GitHub answers 200 with the real one. The headers have
 * no such proof and must therefore be what an honest answer to this request would carry.
 */
export function decodeEntry(value: unknown, url: string, maxBytes: number): Variant | undefined {
  if (!isRecord(value) || value.v !== CODEC_VERSION || typeof value.body !== "string" || !isRecord(value.headers))
    return undefined;
  if (!looksLikeJson(value.body)) return undefined;
  const bytes = new TextEncoder().encode(value.body).byteLength;
  if (bytes > maxBytes) return undefined;
  const headers = new Map<string, string>();
  for (const [name, text] of Object.entries(value.headers)) {
    if (
      !KEPT_HEADERS.includes(name) ||
      NOT_FROM_A_STORE.includes(name) ||
      typeof text !== "string" ||
      !/^[\x20-\x7e]{1,4000}$/.test(text)
    )
      return undefined;
    headers.set(name, text);
  }
  if (headers.get("content-type") !== JSON_TYPE) return undefined;
  if (!isStorable(200, new Map([...headers, ["etag", '""']]))) return undefined;
  const judged = judgeStoredLink(headers.get("link"), url);
  if (judged.kind !== "trusted") return undefined;
  if (judged.link !== undefined) headers.set("link", judged.link);
  return new Variant({ body: value.body, bytes, headers, verified: true, fromStore: true }, url);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function looksLikeJson(body: string): boolean {
  return /^\s*[[{]/.test(body);
}
