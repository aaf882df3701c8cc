import type { HeaderReader } from "../call/header-reader.js";
import { isEntityTag } from "./etag.js";

/** Vary names that the key or the credential already covers; anything else makes an answer unfit to keep. */
const COVERED_BY_KEY: ReadonlySet<string> = new Set([
  "accept",
  "authorization",
  "cookie",
  "x-github-otp",
  "accept-encoding",
  "x-requested-with",
]);

/**
 * Whether an answer's head allows its body to be kept. GitHub's `private` and `max-age` are no obstacle: the entry is
 * held per credential and asked about again before each use (RFC 9111 §5.2.2.7 speaks of shared caches).
 */
export function isStorable(status: number, headers: HeaderReader): boolean {
  if (status !== 200) return false;
  const etag = headers.get("etag") ?? null;
  const type = headers.get("content-type") ?? null;
  if (etag === null || type === null || !isEntityTag(etag) || !(type === USUAL_TYPE || isText(type))) return false;
  if ((headers.get("content-range") ?? null) !== null) return false;
  const control = headers.get("cache-control") ?? null;
  if (control !== null && control !== USUAL_CONTROL && /(?:^|[\s,])no-store(?:$|[\s,;])/i.test(control)) return false;
  return isCovered(headers.get("vary") ?? null);
}

function isCovered(vary: string | null): boolean {
  if (vary === null || vary === USUAL_VARY) return true;
  return vary.split(",").every((name) => name.trim() === "" || COVERED_BY_KEY.has(name.trim().toLowerCase()));
}

/** What api.github.com sends on nearly every answer; compared first because they are read on every miss. */
const USUAL_TYPE = "application/json; charset=utf-8";
const USUAL_CONTROL = "private, max-age=60, s-maxage=60";
const USUAL_VARY = "Accept, Authorization, Cookie, X-GitHub-OTP, Accept-Encoding, Accept, X-Requested-With";

/** Text in UTF-8, by its media type. Whether the bytes really are is checked when they are read. */
function isText(type: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1];
  if (charset !== undefined && charset.toLowerCase() !== "utf-8") return false;
  return /^\s*(?:text\/|application\/(?:[\w.+-]*\bjson\b|vnd\.github[\w.+-]*)\s*(?:;|$))/i.test(type);
}
