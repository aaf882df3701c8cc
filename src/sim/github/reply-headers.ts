import type { WindowReading } from "./windows.js";
import type { Credential } from "./world/credentials.js";

/** A list of headers in the making. */
export type HeaderList = [name: string, value: string][];

const EXPOSED =
  "ETag, Link, Location, Retry-After, X-GitHub-OTP, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Used, X-RateLimit-Resource, X-RateLimit-Reset, X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Poll-Interval, X-GitHub-Media-Type, X-GitHub-SSO, X-GitHub-Request-Id, Deprecation, Sunset";

const CONSTANT: HeaderList = [
  ["access-control-allow-origin", "*"],
  ["access-control-expose-headers", EXPOSED],
  ["content-security-policy", "default-src 'none'"],
  ["referrer-policy", "origin-when-cross-origin, strict-origin-when-cross-origin"],
  ["strict-transport-security", "max-age=31536000; includeSubdomains; preload"],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "deny"],
  ["x-xss-protection", "0"],
];

/** GitHub's hosts for uploads and downloads are not made for scripts in browsers. */
const CONSTANT_ELSEWHERE: HeaderList = CONSTANT.filter(
  ([name]) => !name.startsWith("access-control-") && name !== "referrer-policy",
);

/** What every answer carries: Date, request id and the security headers; fewer of them on hosts besides the API's. */
export function baseHeaders(now: number, requestId: string, elsewhere = false): HeaderList {
  return [
    ["date", new Date(now).toUTCString()],
    ["server", "github.com"],
    ["x-github-request-id", requestId],
    ...(elsewhere ? CONSTANT_ELSEWHERE : CONSTANT),
  ];
}

/** The five rate headers. */
export function rateHeaders(reading: WindowReading): HeaderList {
  return [
    ["x-ratelimit-limit", String(reading.limit)],
    ["x-ratelimit-remaining", String(reading.remaining)],
    ["x-ratelimit-reset", String(Math.ceil(reading.resetAt / 1_000))],
    ["x-ratelimit-used", String(reading.used)],
    ["x-ratelimit-resource", reading.resource],
  ];
}

/** Cache-Control as measured; without a credential an answer is public. */
export function cacheControlHeader(credential: Credential, given: string | undefined): HeaderList[number] {
  return ["cache-control", given ?? `${credential.kind === "none" ? "public" : "private"}, max-age=60, s-maxage=60`];
}

/** Vary as measured. */
export function varyHeader(credential: Credential): HeaderList[number] {
  const anonymous = "Accept,Accept-Encoding, Accept, X-Requested-With";
  const known = "Accept, Authorization, Cookie, X-GitHub-OTP, Accept-Encoding, Accept, X-Requested-With";
  return ["vary", credential.kind === "none" ? anonymous : known];
}

/** What a classic token's answers tell of its scopes. */
export function scopeHeaders(credential: Credential): HeaderList {
  if (credential.kind !== "user-token") return [];
  return [
    ["x-oauth-scopes", credential.scopes],
    ["x-accepted-oauth-scopes", ""],
  ];
}

/** `X-GitHub-Media-Type`: how the Accept header was understood. */
export function mediaType(accept: string): string {
  const match = /application\/vnd\.github(?:\.v3|\.([\w-]+?)-preview)?(?:\.([\w-]+))?(?:\+(json))?/.exec(accept);
  const param = match?.[2];
  if (param !== undefined) return `github.v3; param=${param}${match?.[3] === undefined ? "" : "; format=json"}`;
  return "github.v3; format=json";
}
