import { createHash } from "node:crypto";

/** The credential that clients of a {@link StubGithub} use; its ETags are computed for it beforehand. */
export const STUB_TOKEN = "token-of-a-benchmark";

/** What Octokit sends for that token, as far as it goes into an ETag. */
export const STUB_HEADERS = { accept: "application/vnd.github.v3+json", authorization: `token ${STUB_TOKEN}` };

/** So high that no call has to wait for quota; still counted, because real headers differ from answer to answer. */
const LIMIT = 100_000_000;

/** The body stands for the first of several pages. */
const LINK = ["next", "last"]
  .map((rel, i) => `<https://api.github.com/repositories/1296269/commits?page=${2 + i * 61}>; rel="${rel}"`)
  .join(", ");

/** api.github.com in no time: real `Response` objects with its headers, one body, nothing to wait for. */
export interface StubGithub {
  readonly fetch: typeof globalThis.fetch;
  /** Of its one body. */
  readonly etag: string;
  /** Requests answered so far. */
  readonly sent: number;
  /** Those answered with a 304. */
  readonly notModified: number;
}

/**
 * A `GET` has an ETag by GitHub's formula (see `src/cache/etag.ts`) and a `304` for whoever sends it back, save under
 * `/search/`, which has none; a `POST` answers 201. All with `body`.
 */
export function createStubGithub(body: string): StubGithub {
  const { accept, authorization } = STUB_HEADERS;
  const bytes = new TextEncoder().encode(body);
  const etag = `"${createHash("sha256").update(`${accept}:${authorization}:`).update(bytes).digest("hex")}"`;
  const reset = String(Math.floor(Date.now() / 1000) + 3600);
  let sent = 0;
  let notModified = 0;
  let used = 0;
  let second = 0;
  let date = "";

  const headersOf = (resource: string): [string, string][] => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      second = now;
      date = new Date(now * 1000).toUTCString();
    }
    return [
      ["server", "github.com"],
      ["date", date],
      ["cache-control", "private, max-age=60, s-maxage=60"],
      ["vary", "Accept, Authorization, Cookie, X-GitHub-OTP, Accept-Encoding, Accept, X-Requested-With"],
      ["x-github-media-type", "github.v3; format=json"],
      ["x-github-api-version-selected", "2022-11-28"],
      ["x-ratelimit-limit", String(LIMIT)],
      ["x-ratelimit-remaining", String(LIMIT - used)],
      ["x-ratelimit-used", String(used)],
      ["x-ratelimit-reset", reset],
      ["x-ratelimit-resource", resource],
      ["x-github-request-id", "C0DE:1A2B:3C4D5E:6F7A8B:66A1B2C3"],
      ["access-control-expose-headers", "ETag, Link, Location, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining"],
      ["access-control-allow-origin", "*"],
      ["strict-transport-security", "max-age=31536000; includeSubdomains; preload"],
    ];
  };

  const answer = (url: string, init: RequestInit | undefined): Response => {
    sent++;
    const search = url.includes("/search/");
    const isGet = init?.method === "GET";
    const sentHeaders = init?.headers as Record<string, string>;
    if (isGet && !search && sentHeaders["if-none-match"] === etag) {
      notModified++;
      return new Response(null, { status: 304, headers: [...headersOf("core"), ["etag", etag]] });
    }
    used++;
    const headers = headersOf(search ? "search" : "core");
    headers.push(["content-type", "application/json; charset=utf-8"]);
    headers.push(["link", LINK]);
    if (!search) headers.push(["etag", etag]);
    return new Response(bytes, { status: isGet ? 200 : 201, headers });
  };

  return {
    fetch: async (url, init) => answer(String(url), init),
    etag,
    get sent() {
      return sent;
    },
    get notModified() {
      return notModified;
    },
  };
}
