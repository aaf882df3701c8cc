import type { StubAnswer } from "../harness/stub-github.js";
import { REPO } from "./compose.js";
import type { Host } from "./compositions.js";

/** One way in which GitHub refuses, and a call that it refuses so. */
export interface Limit {
  readonly kind: "primary" | "secondary";
  readonly answer: () => StubAnswer;
  readonly call: (octokit: Host, request?: object) => Promise<unknown>;
  /** How long GitHub asks to wait, in seconds. */
  readonly waitS: number;
}

const SECONDARY_WORDS = {
  message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
  documentation_url: "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api",
};
const PRIMARY_WORDS = { message: "API rate limit exceeded for user ID 1." };
const RESET_S = 600;

/** Said in full, so that two refusals do not differ by a count. */
function rateHeaders(remaining: number, resource = "core"): Record<string, string> {
  return {
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-used": String(5_000 - remaining),
    "x-ratelimit-reset": String(Math.ceil(Date.now() / 1_000) + RESET_S),
    "x-ratelimit-resource": resource,
  };
}

const get = (octokit: Host, request: object = {}): Promise<unknown> => octokit.rest.repos.get({ ...REPO, request });
const query = (octokit: Host, request: object = {}): Promise<unknown> =>
  octokit.graphql("query { viewer { login } }", { request });

/** All ways in which GitHub refuses. */
export const LIMITS: Readonly<Record<string, Limit>> = {
  "a primary limit, 403": {
    kind: "primary",
    call: get,
    waitS: RESET_S,
    answer: () => ({ status: 403, json: PRIMARY_WORDS, headers: rateHeaders(0) }),
  },
  "a primary limit, 429": {
    kind: "primary",
    call: get,
    waitS: RESET_S,
    answer: () => ({ status: 429, json: PRIMARY_WORDS, headers: rateHeaders(0) }),
  },
  "a secondary limit, bare": {
    kind: "secondary",
    call: get,
    waitS: 60,
    answer: () => ({ status: 403, json: SECONDARY_WORDS, headers: rateHeaders(4_000) }),
  },
  "a secondary limit with retry-after": {
    kind: "secondary",
    call: get,
    waitS: 20,
    answer: () => ({ status: 403, json: SECONDARY_WORDS, headers: { "retry-after": "20" }, unlimited: true }),
  },
  "a secondary limit, 429": {
    kind: "secondary",
    call: get,
    waitS: 20,
    answer: () => ({ status: 429, json: SECONDARY_WORDS, headers: { "retry-after": "20" }, unlimited: true }),
  },
  "GraphQL's primary limit, 200": {
    kind: "primary",
    call: query,
    waitS: RESET_S,
    answer: () => ({
      status: 200,
      json: { errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded for user ID 1." }] },
      headers: rateHeaders(0, "graphql"),
      etag: "none",
    }),
  },
  "GraphQL's secondary limit, 403": {
    kind: "secondary",
    call: query,
    waitS: 20,
    answer: () => ({ status: 403, json: SECONDARY_WORDS, headers: { "retry-after": "20" }, unlimited: true }),
  },
};

/** Every composition with every limit, for `describe.each`. */
export function crossed<Class>(
  classes: Readonly<Record<string, Class>>,
  limits: readonly (readonly [string, Limit])[] = Object.entries(LIMITS),
): readonly (readonly [composition: string, limit: string, Class, Limit])[] {
  return Object.entries(classes).flatMap(([composition, Class]) =>
    limits.map(([name, limit]) => [composition, name, Class, limit] as const),
  );
}
