import type { Octokit } from "@octokit/core";
import { type Answering, answer, DOCS, JSON_TYPE, json, SECONDARY, SPENT } from "./answers.js";

export const REPO = { owner: "octocat", repo: "hello" };
export const get = (octokit: Octokit): Promise<unknown> =>
  octokit.request("GET /repos/{owner}/{repo}/issues", { ...REPO, per_page: 2, labels: "a b" });
export const post = (octokit: Octokit): Promise<unknown> =>
  octokit.request("POST /repos/{owner}/{repo}/issues", { ...REPO, title: "né", labels: ["bug"] });
export const head = (octokit: Octokit): Promise<unknown> => octokit.request("HEAD /repos/{owner}/{repo}", REPO);
export const QUERY = "query ($login: String!) { user(login: $login) { id } }";
export const graphql = (octokit: Octokit): Promise<unknown> => octokit.graphql(QUERY, { login: "octocat" });

export const CASES: readonly (readonly [string, Answering, (octokit: Octokit) => Promise<unknown>])[] = [
  [
    "a primary limit",
    json(403, { message: "API rate limit exceeded for user ID 1.", documentation_url: DOCS }, SPENT),
    get,
  ],
  ["a primary limit of a write", json(403, { message: "API rate limit exceeded for user ID 1." }, SPENT), post],
  ["a secondary limit with retry-after", json(403, SECONDARY, { "retry-after": "60" }), post],
  ["a secondary limit without retry-after", json(403, SECONDARY, { "x-ratelimit-remaining": "4000" }), get],
  ["429 with a page", answer(429, "<h1>Too many requests</h1>", { "content-type": "text/html" }), get],
  ["429 with nothing", answer(429, ""), get],
  ["429 without a body", answer(429, null, { "content-type": JSON_TYPE }), get],
  ["403 to HEAD", answer(403, null, SPENT), head],
  ["200 to HEAD", answer(200, null), head],
  [
    "a GraphQL limit with status 200",
    json(200, { errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] }),
    graphql,
  ],
  [
    "a GraphQL limit beside data",
    json(200, { data: { user: null }, errors: [{ type: "RATE_LIMIT", message: "spent" }] }),
    graphql,
  ],
  ["a GraphQL limit with status 403", json(403, SECONDARY, { "retry-after": "1" }), graphql],
  ["a GraphQL success", json(200, { data: { user: { id: "U_1" } } }), graphql],
  [
    "a GraphQL answer to request()",
    json(200, { errors: [{ message: "no" }] }),
    (octokit) => octokit.request("POST /graphql", { query: QUERY }),
  ],
  [
    "numbers beyond the safe range",
    json(403, '{"message":"spent","id":12345678901234567890,"more":[9007199254740993]}'),
    get,
  ],
  [
    "errors beside a documentation_url",
    json(422, {
      message: "Validation Failed",
      errors: [{ resource: "Issue", code: "custom" }, "x"],
      documentation_url: DOCS,
    }),
    post,
  ],
  ["errors that hold great numbers", json(403, '{"message":"no","errors":[{"id":12345678901234567890}]}'), get],
  ["JSON without a message", json(403, ["no"]), get],
  ["broken JSON", json(403, '{"message":'), get],
  ["a byte order mark", json(403, '\uFEFF{"message":"no"}'), get],
  ["no UTF-8", answer(403, Uint8Array.of(0x7b, 0xff, 0x7d), { "content-type": JSON_TYPE }), get],
  ["bytes", answer(429, Uint8Array.of(0xff, 0x00, 0xfe), { "content-type": "application/octet-stream" }), get],
  ["no content type", answer(429, new TextEncoder().encode("slow down")), get],
  ["a body that is longer than what is read", json(403, { message: "no".repeat(20_000) }), get],
  ["a server's failure", answer(502, "<h1>Unicorn!</h1>", { "content-type": "text/html" }), post],
  [
    "a deprecated route",
    json(403, SECONDARY, { deprecation: "true", sunset: "soon", link: '<https://x.test>; rel="deprecation"' }),
    get,
  ],
  [
    "several links and cookies",
    json(429, SECONDARY, { link: '<https://x.test/?page=2>; rel="next"', "set-cookie": "a=1" }),
    get,
  ],
];
