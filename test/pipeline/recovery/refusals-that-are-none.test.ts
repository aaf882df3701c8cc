import { describe, expect, it } from "vitest";
import { setUpBench } from "../../harness/octokit-in-squad.js";
import type { StubAnswer } from "../../harness/stub-github.js";
import { PATIENT, REPO, recovery } from "./bench.js";

const TITLE = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
const PRIMARY_TITLE = "API rate limit exceeded for user ID 1.";

const docs = (path: string) => `https://docs.github.com/rest/${path}`;

/** Answers of REST that speak of something else, or quote what a limit would say. */
const REST: readonly [string, StubAnswer][] = [
  [
    "a missing permission",
    { status: 403, json: { message: "Resource not accessible by integration", documentation_url: docs("repos") } },
  ],
  ["a token without a scope", { status: 403, json: { message: "Must have admin rights to Repository." } }],
  [
    "single sign-on",
    {
      status: 403,
      json: {
        message:
          "Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.",
      },
      headers: { "x-github-sso": "required; url=https://github.com/orgs/x/sso?authorization_request=1" },
    },
  ],
  ["the terms of service", { status: 403, json: { message: "Repository access blocked", block: { reason: "tos" } } }],
  [
    "an abuse of the terms",
    { status: 403, json: { message: "Sorry. Your account was suspended for abuse of the terms." } },
  ],
  ["an archived repository", { status: 403, json: { message: "Repository was archived so is read-only." } }],
  [
    "an IP that is not allowed",
    {
      status: 403,
      json: {
        message:
          "Although you appear to have the correct authorization credentials, the `x` organization has an IP allow list enabled.",
      },
    },
  ],
  [
    "a permission, with the last unit spent",
    {
      status: 403,
      json: { message: "Resource not accessible by integration" },
      headers: { "x-ratelimit-remaining": "0" },
    },
  ],
  [
    "a permission that names an issue of that title",
    { status: 403, json: { message: `Issue "${TITLE}" is locked.`, documentation_url: docs("issues") } },
  ],
  ["a 404 with that title", { status: 404, json: { message: "Not Found", title: TITLE } }],
  ["a 404 whose message is the very same", { status: 404, json: { message: TITLE } }],
  ["a 422 that quotes it", { status: 422, json: { message: "Validation Failed", errors: [{ message: TITLE }] } }],
  ["an issue of that title", { json: { title: TITLE, body: PRIMARY_TITLE } }],
  [
    "an answer whose message is that",
    { json: { message: TITLE, documentation_url: docs("overview/rate-limits#secondary-rate-limits") } },
  ],
  ["a 401 with Retry-After", { status: 401, json: { message: "Bad credentials" }, headers: { "retry-after": "60" } }],
  [
    "a 401 with nothing remaining",
    { status: 401, json: { message: PRIMARY_TITLE }, headers: { "x-ratelimit-remaining": "0" } },
  ],
];

const GRAPHQL: readonly [string, StubAnswer][] = [
  ["data that quotes it", { json: { data: { repository: { issue: { title: TITLE, body: PRIMARY_TITLE } } } } }],
  [
    "data that quotes a whole refusal",
    {
      json: {
        data: { file: { text: JSON.stringify({ errors: [{ type: "RATE_LIMITED", message: PRIMARY_TITLE }] }) } },
      },
    },
  ],
  [
    "an error that quotes it",
    {
      json: { data: null, errors: [{ type: "UNPROCESSABLE", path: ["x"], message: `The title "${TITLE}" is taken.` }] },
    },
  ],
  ["an alias that is called errors", { json: { data: { errors: { message: TITLE } } } }],
  [
    "a missing scope",
    {
      json: {
        data: null,
        errors: [{ type: "INSUFFICIENT_SCOPES", message: "Your token has not been granted the required scopes." }],
      },
    },
  ],
  ["a 401", { status: 401, json: { message: "Bad credentials" } }],
];

describe("no limit refused it, so nobody holds back and nothing is tried again:", () => {
  it.each(REST)("%s", async (_what, answer) => {
    // What is left is the light's matter, and is another test's.
    const { github, clock, call, sent, squad } = recovery({ ...PATIENT, light: false });
    github.once(answer);
    const response = await call();
    expect(response.status).toBe(answer.status ?? 200);
    expect(await response.json()).toEqual(answer.json);
    expect(squad.status().principals[0]).toMatchObject({ cooldownUntil: 0, secondary: { factor: 1 } });
    expect(squad.status().counters).toMatchObject({ retried: 0, refusedByGithub: 0 });
    await call(REPO, { squad: { priority: 0, emergency: true } });
    expect([sent.length, clock.pendingTimers, clock.monotonic()]).toEqual([2, 0, 0]);
  });

  it.each(GRAPHQL)("of GraphQL, %s", async (_what, answer) => {
    const { github, clock, graphql, sent, squad } = recovery(PATIENT);
    github.once(answer);
    const response = await graphql("query { viewer { login } }");
    expect(response.status).toBe(answer.status ?? 200);
    expect(await response.json()).toEqual(answer.json);
    expect(squad.status().principals[0]?.cooldownUntil).toBe(0);
    github.route("/graphql", { json: { data: {} } });
    await graphql("query { viewer { login } }");
    expect([sent.length, clock.pendingTimers]).toEqual([2, 0]);
  });

  it.each(REST.filter(([, { status = 200 }]) => status >= 400))(
    "with Octokit its own error, %s",
    async (_what, answer) => {
      const { github, octokit } = setUpBench({ retry: true });
      github.once(answer);
      const failed = octokit("ghp_x").request("GET /repos/{owner}/{repo}", { owner: "o", repo: "r" });
      await expect(failed).rejects.toMatchObject({
        name: "HttpError",
        status: answer.status,
        response: { data: answer.json },
      });
      expect(github.requests).toHaveLength(1);
    },
  );
});

describe("credentials that are no good", () => {
  it("say nothing of the token's own quota: their answers show an address's 60 an hour", async () => {
    const { github, call, squad } = recovery(PATIENT);
    await call();
    const { limit, used } = squad.status().principals[0]?.windows.core ?? {};
    github.once({
      status: 401,
      json: { message: "Bad credentials" },
      headers: { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "x-ratelimit-used": "60" },
    });
    await call();
    expect(squad.status().principals[0]?.windows.core).toMatchObject({ limit, used, light: "green" });
    expect(squad.status().counters.chargedUnits).toBe(1);
  });
});

describe("a request that cannot be sent", () => {
  const failure = (code: string) => (): never => {
    throw Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error(code), { code }) });
  };

  it.each(["ERR_INVALID_URL", "UND_ERR_INVALID_ARG", "CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID"])(
    "will not be the next time: %s",
    async (code) => {
      const { github, clock, call, sent } = recovery(PATIENT);
      github.route(REPO, failure(code));
      await expect(call()).rejects.toThrow("fetch failed");
      expect([sent.length, clock.pendingTimers]).toEqual([1, 0]);
    },
  );

  it.each(["ENOTFOUND", "ECONNREFUSED", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])(
    "may be the next time: %s",
    async (code) => {
      const { github, clock, call, sent } = recovery(PATIENT);
      github.once(failure(code));
      expect((await clock.settle(call())).status).toBe(200);
      expect(sent).toHaveLength(2);
    },
  );

  it.each(["ENOTFOUND", "ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT"])(
    "not even a write, which nobody has seen: %s",
    async (code) => {
      const { github, clock, call, sent } = recovery(PATIENT);
      github.once(failure(code));
      await expect(clock.settle(call(REPO, { method: "PATCH", body: "{}" }))).rejects.toThrow("fetch failed");
      expect(sent).toHaveLength(1);
    },
  );
});
