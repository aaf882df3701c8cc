import { describe, expect, it } from "vitest";
import { type AnswerToClassify, type Outcome, outcomeDependsOnText, outcomeOf } from "../../../src/call/outcome.js";
import type { FaultKind, FaultScript, SimulatedGitHubOptions } from "../../../src/sim/index.js";
import { API, createTestGitHub, type TestGitHub } from "../../sim/github/world-fixture.js";

const CREATE = 'mutation { createIssue(input: { repositoryId: "x", title: "t" }) { issue { id } } }';
/** What `RefusedBy` of the simulated GitHub's log is called here. */
const LIMITS = { primary: "primary-limit", secondary: "secondary-limit" } as const;

/** Asks the simulated GitHub, and classifies what comes back as a client would: the text only where it matters. */
async function ask(
  { send, github, clock }: TestGitHub,
  path: string,
  init: Parameters<TestGitHub["send"]>[1] = {},
): Promise<Outcome> {
  const response = await send(path, init);
  const api = path === "/graphql" ? "graphql" : "rest";
  const outcome = outcomeOf(await answer(api, response), clock.now());
  const refusedBy = github.log.at(-1)?.refusedBy;
  // The simulated GitHub's own word, but for the HEAD that nothing distinguishes.
  if (!(init.method === "HEAD" && refusedBy === "secondary" && !response.headers.has("retry-after"))) {
    const limit = outcome.kind.endsWith("-limit") ? outcome.kind : undefined;
    expect(limit).toBe(refusedBy === undefined ? undefined : LIMITS[refusedBy]);
  }
  return outcome;
}

async function answer(api: AnswerToClassify["api"], response: Response): Promise<AnswerToClassify> {
  const { status, headers } = response;
  const text = outcomeDependsOnText(api, status) ? await response.text().catch(() => undefined) : undefined;
  return { api, status, headers, text };
}

function graphql(test: TestGitHub, query = "{ viewer { login } }") {
  return ask(test, "/graphql", { method: "POST", json: { query } });
}

/** The same GitHub, asked with another credential or none. */
function as(test: TestGitHub, authorization: string | undefined): TestGitHub {
  const { clock, github } = test;
  const credential = authorization === undefined ? {} : { authorization };
  return {
    ...test,
    send: (path, { method = "GET", json } = {}) => {
      const body = json === undefined ? {} : { body: JSON.stringify(json) };
      return clock.settle(github.fetch(`${API}${path}`, { method, headers: credential, ...body }));
    },
  };
}

/** A GitHub with nothing left. */
function exhausted(options: SimulatedGitHubOptions = {}) {
  const nothing = { limit: 0, unauthenticatedLimit: 0 };
  return createTestGitHub({ limits: { core: nothing, search: nothing, graphql: nothing }, ...options });
}

describe("primary refusals of the simulated GitHub", () => {
  it.each([403, 429] as const)("with %i, of a read, a HEAD, a search and a write", async (primaryStatus) => {
    const test = exhausted({ primaryStatus });
    const resetAt = test.clock.now() + 3_600_000;
    const words = { kind: "primary-limit", how: "text", refused: "whole", resetAt, retryAfterMs: undefined };
    expect(await ask(test, "/user")).toEqual(words);
    expect(await ask(test, "/user", { method: "HEAD" })).toEqual({ ...words, how: "head" });
    expect(await ask(test, "/search/issues?q=x")).toEqual({ ...words, resetAt: test.clock.now() + 60_000 });
    expect(await ask(test, "/repos/acme/app/issues", { method: "POST", json: { title: "x" } })).toEqual(words);
  });

  it("to every kind of principal, by REST and GraphQL", async () => {
    const test = exhausted();
    const { world } = test.github;
    world.addInstallationToken("ghs_installation", world.addInstallation(7, { account: "acme" }).id);
    world.addActionsToken("ghs_actions", { owner: "acme", repo: "app" });
    for (const authorization of ["token ghs_installation", "token ghs_actions", undefined]) {
      expect(await ask(as(test, authorization), "/repos/acme/app")).toMatchObject({
        kind: "primary-limit",
        how: "text",
      });
      expect(await graphql(as(test, authorization))).toMatchObject({ kind: "primary-limit", refused: "whole" });
    }
    const principals = test.github.log.map(({ principal }) => principal.split(":")[0]);
    expect(new Set(principals)).toEqual(new Set(["installation", "actions", "address"]));
  });

  it.each(["RATE_LIMITED", "graphql_rate_limit"] as const)("by GraphQL in the form %s", async (graphqlLimitForm) => {
    const test = exhausted({ graphqlLimitForm });
    const refused = { kind: "primary-limit", how: "graphql-errors", refused: "whole" };
    expect(await graphql(test)).toMatchObject(refused);
    expect(await graphql(test, CREATE)).toMatchObject(refused);
  });

  it("on a clock that is hours off, as long as `now` is GitHub's", async () => {
    const test = exhausted({ clockSkewMs: 7_200_000 });
    const response = await test.send("/user");
    const outcome = outcomeOf(await answer("rest", response), test.clock.now() + 7_200_000);
    expect(outcome).toMatchObject({ resetAt: test.clock.now() + 7_200_000 + 3_600_000 });
  });
});

describe("secondary refusals of the simulated GitHub", () => {
  const busy = (headerProfile: "bare" | "retry-after") =>
    createTestGitHub({
      secondary: { headerProfile, pointsPerEndpointPerMinute: 0, graphqlPointsPerMinute: 0, recoveryMs: [0, 0] },
    });

  it.each([
    ["bare", undefined],
    ["retry-after", 60_000],
  ] as const)("with the header profile %s", async (profile, retryAfterMs) => {
    const refused = { kind: "secondary-limit", how: "text", refused: "whole", blocked: "everything", retryAfterMs };
    expect(await ask(busy(profile), "/user")).toEqual(refused);
    expect(await graphql(busy(profile))).toEqual(refused);
  });

  it("of a HEAD, which only Retry-After gives away", async () => {
    expect(await ask(busy("retry-after"), "/user", { method: "HEAD" })).toMatchObject({
      kind: "secondary-limit",
      how: "head",
      retryAfterMs: 60_000,
    });
    expect(await ask(busy("bare"), "/user", { method: "HEAD" })).toEqual({ kind: "client-error", status: 403 });
  });

  it("of created content, by REST and by GraphQL", async () => {
    const test = createTestGitHub({ secondary: { contentPerMinute: 0 } });
    const refused = { kind: "secondary-limit", blocked: "content-creation", refused: "whole" };
    expect(await ask(test, "/repos/acme/app/issues", { method: "POST", json: { title: "x" } })).toMatchObject(refused);
    expect(await graphql(test, CREATE)).toMatchObject({ ...refused, how: "graphql-errors" });
  });
});

describe("faults of the simulated GitHub", () => {
  /** By kind, so that the compiler misses none: the fault, and what a REST and a GraphQL request make of it. */
  const FAULTS: Readonly<
    Record<FaultKind["kind"], readonly (readonly [FaultScript, rest: unknown, graphql: unknown])[]>
  > = {
    status: [
      [
        { kind: "status", status: 500 },
        { kind: "server-error", status: 500 },
        { kind: "graphql-timeout", status: 500 },
      ],
      [
        { kind: "status", status: 502 },
        { kind: "server-error", status: 502 },
        { kind: "graphql-timeout", status: 502 },
      ],
      [
        { kind: "status", status: 502, body: "html" },
        { kind: "server-error", status: 502 },
        { kind: "graphql-timeout", status: 502 },
      ],
      [
        { kind: "status", status: 503, body: "html" },
        { kind: "server-error", status: 503 },
        { kind: "server-error", status: 503 },
      ],
      [
        { kind: "status", status: 504 },
        { kind: "server-error", status: 504 },
        { kind: "graphql-timeout", status: 504 },
      ],
    ],
    // The body is the caller's to miss: a 200 is a 200 until it is read.
    truncate: [[{ kind: "truncate" }, { kind: "ok" }, { kind: "ok" }]],
    html: [[{ kind: "html" }, { kind: "ok" }, { kind: "server-error", status: 200 }]],
    slow: [[{ kind: "slow", ms: 9_000 }, { kind: "ok" }, { kind: "ok" }]],
    reset: [
      [{ kind: "reset" }, "no answer", "no answer"],
      [{ kind: "reset", when: "before" }, "no answer", "no answer"],
    ],
    "retry-after-date": [
      [
        { kind: "retry-after-date", seconds: 30 },
        { kind: "secondary-limit", retryAfterMs: 30_000 },
        { kind: "secondary-limit", retryAfterMs: 30_000 },
      ],
    ],
    "primary-limit": [[{ kind: "primary-limit" }, { kind: "primary-limit" }, { kind: "primary-limit" }]],
    "secondary-limit": [[{ kind: "secondary-limit" }, { kind: "secondary-limit" }, { kind: "secondary-limit" }]],
    "malformed-headers": [[{ kind: "malformed-headers" }, { kind: "ok" }, { kind: "ok" }]],
    "resource-limits": [[{ kind: "resource-limits" }, { kind: "ok" }, { kind: "query-too-large" }]],
  };

  it.each(Object.values(FAULTS).flat())("%j", async (script, rest, expected) => {
    const test = createTestGitHub();
    for (const [send, outcome] of [
      [() => ask(test, "/user"), rest],
      [() => graphql(test), expected],
    ] as const) {
      const handle = test.github.fault(script);
      if (outcome === "no answer") await expect(send()).rejects.toThrow("fetch failed");
      else expect(await send()).toMatchObject(outcome as object);
      handle.cancel();
    }
  });

  it("with nonsense in every header of a refusal", async () => {
    const test = exhausted();
    const response = await test.send("/user");
    const headers = new Headers(response.headers);
    for (const name of ["x-ratelimit-remaining", "x-ratelimit-reset", "retry-after", "date"]) headers.set(name, "soon");
    const outcome = outcomeOf({ api: "rest", status: 403, headers, text: await response.text() }, test.clock.now());
    expect(outcome).toMatchObject({ kind: "primary-limit", how: "text", resetAt: undefined, retryAfterMs: undefined });
  });
});

describe("other answers of the simulated GitHub", () => {
  it("are no limit's refusals", async () => {
    const test = createTestGitHub();
    test.github.world.addIssue({ owner: "acme", repo: "app", title: "You have exceeded a secondary rate limit." });
    const etag = (await test.send("/repos/acme/app/issues")).headers.get("etag") ?? "";
    expect(await ask(test, "/repos/acme/app/issues")).toEqual({ kind: "ok" });
    expect(await ask(test, "/repos/acme/app/issues", { headers: { "if-none-match": etag } })).toEqual({
      kind: "not-modified",
    });
    expect(await ask(test, "/repos/acme/missing")).toEqual({ kind: "client-error", status: 404 });
    expect(await ask(test, "/user", { headers: { authorization: "token ghp_unknown" } })).toEqual({
      kind: "client-error",
      status: 401,
    });
    expect(await ask(test, "/repos/acme/app/issues", { method: "POST", json: {} })).toEqual({
      kind: "client-error",
      status: 422,
    });
    expect(
      await graphql(test, '{ repository(owner: "acme", name: "app") { issues(first: 9) { nodes { title } } } }'),
    ).toEqual({ kind: "ok" });
    expect(await graphql(test, '{ repository(owner: "acme", name: "missing") { id } }')).toEqual({
      kind: "graphql-error",
    });
    expect(await graphql(test, "{ nope }")).toEqual({ kind: "graphql-error" });
    expect(await graphql(test, "{")).toEqual({ kind: "graphql-error" });
  });

  it("of a query that asks for too many nodes", async () => {
    const inner = "issues(first: 100) { nodes { comments(first: 100) { nodes { id } } } }";
    const query = `{ viewer { repositories(first: 100) { nodes { ${inner} } } } }`;
    expect(await graphql(createTestGitHub(), query)).toEqual({ kind: "query-too-large" });
  });

  it("of a server without rate limits", async () => {
    const test = createTestGitHub({ ghes: true, baseUrl: "https://api.github.com" });
    expect(await ask(test, "/rate_limit")).toEqual({ kind: "client-error", status: 404 });
    expect(await ask(test, "/user")).toEqual({ kind: "ok" });
  });
});
