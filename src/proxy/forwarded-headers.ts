import { decodablePart } from "./content-coding.js";

/** Of one connection, and nothing of the message (RFC 9110 §7.6.1). `expect` is answered by whoever it is sent to. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Said anew for each server. */
const OF_THE_REQUEST: ReadonlySet<string> = new Set(["host", "content-length", "expect"]);

/** What a connection's other end named as its own, in lower case; undefined for nothing beyond the usual. */
export function namedIn(connection: string | undefined): ReadonlySet<string> | undefined {
  if (connection === undefined || /^(?:close|keep-alive)$/i.test(connection)) return undefined;
  return new Set(connection.split(",").map((name) => name.trim().toLowerCase()));
}

/** The headers of an answer to hand on, as they came: in their order, their letters and as often. */
export function answerHeaders(raw: readonly string[], connection: string | undefined): string[] {
  const named = namedIn(connection);
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] as string;
    const lower = name.toLowerCase();
    if (OF_THE_CONNECTION.has(lower) || named?.has(lower) === true) continue;
    kept.push(name, raw[index + 1] as string);
  }
  return kept;
}

/** An address below a base URL: Go's clients name the one that has redirected them. */
const HAS_SECRET = /^http:\/\/[^/]+\/[\w-]{43}(?:[/?]|$)/;

/** What is changed on the way to GitHub. */
export interface RequestChanges {
  readonly host: string;
  /** In place of what the client sent, or none. */
  readonly authorization: string | undefined;
  /** Whether what the client says it can decode is narrowed to what this proxy can. */
  readonly decodable: boolean;
}

/** The headers of a request to hand on; those that say how long its body is are added by whoever sends it. */
export function requestHeaders(
  raw: readonly string[],
  connection: string | undefined,
  { host, authorization, decodable }: RequestChanges,
): string[] {
  const named = namedIn(connection);
  const kept: string[] = ["Host", host];
  if (authorization !== undefined) kept.push("Authorization", authorization);
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] as string;
    const lower = name.toLowerCase();
    if (OF_THE_CONNECTION.has(lower) || OF_THE_REQUEST.has(lower) || named?.has(lower) === true) continue;
    // Between squads these speak of a proxy's client; GitHub has no use for them.
    if (lower === "authorization" || lower.startsWith("x-squad-rate")) {
      continue;
    }
    const value = raw[index + 1] as string;
    if (lower === "referer" && HAS_SECRET.test(value)) continue;
    kept.push(name, decodable && lower === "accept-encoding" ? decodablePart(value) : value);
  }
  return kept;
}
