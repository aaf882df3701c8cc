import type { WireReply } from "../../src/sim/github/wire.js";

/** One answer, reduced to what a caller may rely on. */
export interface AnswerForm {
  readonly status: number;
  /** The body as text and as bytes (one character each); callers get one or the other. */
  readonly text: string | undefined;
  readonly bytes: string | undefined;
  readonly link: string | undefined;
  readonly etag: string | undefined;
  readonly type: string | undefined;
}

export function formOfReply({ status, headers, body }: WireReply): AnswerForm {
  const named = new Map(headers);
  const buffer = body === undefined ? Buffer.alloc(0) : Buffer.from(body as Uint8Array);
  return {
    status,
    text: textOf(buffer),
    bytes: buffer.toString("latin1"),
    ...formOfHeaders((name) => named.get(name)),
  };
}

/** What a client made of a body: Octokit's data (text, parsed JSON, bytes, nothing) or the text of a `Response`. */
export function formOfAnswer(status: number, data: unknown, header: (name: string) => string | undefined): AnswerForm {
  const isBytes = data instanceof ArrayBuffer;
  const text = data === undefined ? "" : typeof data === "string" ? data : JSON.stringify(data);
  return {
    status,
    text: isBytes ? undefined : text,
    bytes: isBytes ? Buffer.from(data).toString("latin1") : undefined,
    ...formOfHeaders(header),
  };
}

/**
 * Why `got` is not `expected`; undefined when it is. `askedFor` is the address of the request.
 *
 * With `reused`, one thing is forgiven: a list that shrinks to end with a full page leaves that page's ETag as it was, so
 * its `next` stays, and leads to an empty page.
 */
export function difference(
  got: AnswerForm,
  expected: AnswerForm,
  askedFor: string,
  reused: boolean,
): string | undefined {
  if (got.status !== expected.status) return `status ${got.status}, not ${expected.status}`;
  if (got.text !== undefined && got.text !== expected.text)
    return `another body: ${around(got.text, expected.text ?? "")}`;
  if (got.bytes !== undefined && got.bytes !== expected.bytes) return "other bytes";
  const links = linkForm(got.link, askedFor);
  const expectedLinks = linkForm(expected.link, askedFor);
  if (links.join() !== expectedLinks.join()) {
    const forgivable = reused && isFullPage(expected.text ?? "", askedFor);
    const rest = forgivable ? links.filter((one) => !one.startsWith("next ")) : links;
    if (rest.join() !== expectedLinks.join()) return `Link ${got.link}, not ${expected.link}`;
  }
  // Errors carry no validator, and what they are is not cached.
  if (expected.status !== 200) return undefined;
  if (got.etag !== undefined && got.etag !== expected.etag) return `ETag ${got.etag}, not ${expected.etag}`;
  if (got.type !== expected.type) return `Content-Type ${got.type}, not ${expected.type}`;
  return undefined;
}

function formOfHeaders(header: (name: string) => string | undefined): Omit<AnswerForm, "status" | "text" | "bytes"> {
  return {
    link: header("link"),
    // A compressed 200 has a weak tag, a 304 a strong one.
    etag: header("etag")?.replace(/^W\//, ""),
    type: header("content-type"),
  };
}

/** As `Response.text()` reads it: UTF-8 without its byte order mark. */
function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

/**
 * A Link header's relations and targets in one order, without `last`, which a 304 does not bring up to date. GitHub
 * names lists by id there; the address that was asked for means the same.
 */
function linkForm(link: string | undefined, askedFor: string): readonly string[] {
  if (link === undefined) return [];
  const asked = new URL(askedFor).pathname;
  const parts: string[] = [];
  for (const part of link.split(/,\s*(?=<)/)) {
    const [, target = "", rel = ""] = /^<([^>]+)>; rel="([^"]+)"$/.exec(part.trim()) ?? [];
    if (rel === "last") continue;
    if (!URL.canParse(target)) return [`unreadable: ${link}`];
    const url = new URL(target);
    const path = url.pathname === asked || byId(url.pathname, asked) ? "itself" : url.pathname;
    url.searchParams.sort();
    parts.push(`${rel} ${url.origin} ${path} ${url.searchParams}`);
  }
  return parts.sort();
}

function isFullPage(text: string, address: string): boolean {
  if (!text.startsWith("[")) return false;
  return (JSON.parse(text) as unknown[]).length >= Number(new URL(address).searchParams.get("per_page") ?? 30);
}

/** Whether `path` is `asked` with its owner and name, or its login, replaced by an id. */
function byId(path: string, asked: string): boolean {
  const tail = (it: string, words: number): string => it.split("/").slice(words).join("/");
  if (/^\/repositories\/\d+/.test(path)) return asked.startsWith("/repos/") && tail(path, 3) === tail(asked, 4);
  return /^\/(?:user|organizations)\/\d+/.test(path) && tail(path, 3) === tail(asked, 3);
}

function around(got: string, expected: string): string {
  let index = 0;
  while (index < got.length && got[index] === expected[index]) index++;
  const start = Math.max(0, index - 40);
  return `…${got.slice(start, index + 60)}… instead of …${expected.slice(start, index + 60)}…`;
}
