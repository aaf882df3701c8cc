import { describe, expect, it } from "vitest";
import { setUpGraphql, TOKEN } from "./bench.js";

const CHECKS = `query ($pulls: Int!, $suites: Int!) { repository(owner: "mona", name: "app") { pullRequests(first: $pulls) { nodes {
  commits(last: 1) { nodes { commit { checkSuites(first: $suites) { nodes { checkRuns(first: 10) { nodes { name } } } } } } } } } } }`;

describe("what is set aside for a query", () => {
  it("is its cost by GitHub's rule while nobody has sent it", async () => {
    const { octokit, exchanges } = setUpGraphql();
    await octokit.graphql(CHECKS, { pulls: 25, suites: 67 });
    expect(exchanges).toMatchObject([{ reservedUnits: 17, chargedUnits: 17 }]);
  });

  it("is what it cost of late when that is known, whatever the layout and the other variables", async () => {
    const { squad, exchanges, octokit } = setUpGraphql();
    // A server that reckons otherwise than the rule says.
    const answer = JSON.stringify({ data: { viewer: null, squadRateLimit: { cost: 4 } } });
    const headers = { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "4990", "x-ratelimit-used": "10" };
    const reset = String(Math.floor(Date.UTC(2030, 0, 1) / 1_000));
    const fetch: typeof globalThis.fetch = async () =>
      new Response(answer, { headers: { ...headers, "x-ratelimit-reset": reset, "x-ratelimit-resource": "graphql" } });
    const query = "query ($login: String!) { user(login: $login) { repositories(first: 10) { nodes { name } } } }";
    for (const login of ["mona", "hubot"]) {
      await octokit.request("POST /graphql", {
        query: login === "mona" ? query : query.replaceAll(" {", "{"),
        variables: { login },
        request: { fetch },
      });
    }
    expect(exchanges.map(({ reservedUnits, chargedUnits }) => [reservedUnits, chargedUnits])).toEqual([
      [1, 4],
      [4, 4],
    ]);
    expect(await squad.estimate(query, { login: "octocat" })).toMatchObject({ units: 4, from: "learnt" });
  });

  it("counts as spent while the query is under way, so that no other spends it too", async () => {
    const { octokit, github, squad, clock } = setUpGraphql({ maxWaitMs: 0 }, { limits: { graphql: { limit: 100 } } });
    github.fault({ kind: "slow", ms: 5_000, match: { path: "/graphql" } });
    const first = octokit.graphql("{ viewer { login } }");
    await clock.settle(first);
    github.fault({ kind: "slow", ms: 5_000, match: { path: "/graphql" }, times: 2 });
    const slow = octokit.graphql(CHECKS, { pulls: 80, suites: 100 });
    await clock.advance(1_000);
    expect(squad.status().principals[0]?.windows.graphql?.reserved).toBe(82);
    await expect(octokit.graphql(CHECKS, { pulls: 25, suites: 67 })).rejects.toMatchObject({
      code: "SQUAD_RATE_LIGHT",
    });
    await clock.settle(slow);
  });

  it("goes back when the query cost less", async () => {
    const { octokit, squad } = setUpGraphql();
    await octokit.graphql(CHECKS, { pulls: 25, suites: 67 });
    expect(squad.status().principals[0]?.windows.graphql).toMatchObject({ reserved: 0, used: 17 });
  });
});

describe("estimate", () => {
  it("tells units, nodes and points without sending", async () => {
    const { squad, sent } = setUpGraphql();
    expect(await squad.estimate(CHECKS, { pulls: 25, suites: 67 })).toEqual({
      units: 17,
      nodes: 25 + 25 + 25 * 67 + 25 * 67 * 10,
      points: 1,
      from: "rule",
      rejected: undefined,
    });
    expect(sent).toEqual([]);
  });

  it("says what GitHub would turn down, and why", async () => {
    const { squad, plain } = setUpGraphql();
    const { rejected, units } = await squad.estimate(CHECKS, { pulls: 100, suites: 100 });
    expect([rejected, units]).toEqual([undefined, 102]);
    const tooMany = CHECKS.replace("first: 10", "first: 100");
    const estimate = await squad.estimate(tooMany, { pulls: 100, suites: 100 });
    expect(estimate).toMatchObject({
      units: 1,
      rejected: { type: "MAX_NODE_LIMIT_EXCEEDED", why: expect.stringMatching(/500000/) },
    });
    await expect(plain.graphql(tooMany, { pulls: 100, suites: 100 })).rejects.toMatchObject({
      errors: [{ type: "MAX_NODE_LIMIT_EXCEEDED" }],
    });
    expect((await squad.estimate(CHECKS, { pulls: 101, suites: 1 })).rejected?.type).toBe("EXCESSIVE_PAGINATION");
    expect((await squad.estimate("{ viewer { repositories { nodes { name } } } }")).rejected?.type).toBe(
      "MISSING_PAGINATION_BOUNDARIES",
    );
  });

  it("knows the weight of a mutation", async () => {
    const { squad } = setUpGraphql();
    const mutation = "mutation ($input: AddStarInput!) { addStar(input: $input) { clientMutationId } }";
    expect(await squad.estimate(mutation, { input: {} })).toMatchObject({ units: 1, points: 5 });
  });

  it.each<[string, readonly unknown[], RegExp]>([
    [
      "a document that does not parse",
      ["{ viewer { login"],
      /cannot be read: Expected Name, found <EOF>, in line 1, column 17/,
    ],
    ["an operation that is not there", ["query A { viewer { login } }", {}, "B"], /no operation called "B"/],
    ["several operations and no name", ["query A { a } query B { b }"], /several operations, and none is chosen/],
    ["fragments alone", ["fragment A on B { c }"], /no operation, only fragments/],
    ["no text", [42], /estimate: query must be a GraphQL document; got 42/],
    ["variables that are none", ["{ a }", "b"], /estimate: variables must be an object/],
    ["a name that is none", ["{ a }", {}, 7], /estimate: operationName must be a name; got 7/],
  ])("says what is wrong with %s", async (_, [query, variables, name], message) => {
    const { squad } = setUpGraphql();
    await expect(
      squad.estimate(query as string, variables as Record<string, unknown>, name as string),
    ).rejects.toMatchObject({
      code: "SQUAD_RATE_OPTIONS",
      message: expect.stringMatching(message),
      remedy: expect.any(String),
    });
  });

  it("works where GraphQL is switched off", async () => {
    const { squad } = setUpGraphql({ graphql: false });
    expect((await squad.estimate(CHECKS, { pulls: 25, suites: 67 })).units).toBe(17);
  });
});

describe("a query that runs out of its time", () => {
  it("is sent again once, and what was set aside for it is booked", async () => {
    const { octokit, github, exchanges, clock } = setUpGraphql();
    await octokit.graphql("{ viewer { login } }");
    github.fault({ kind: "status", status: 502, body: "html", extraUnits: 17, times: 2 });
    const outcome = octokit
      .graphql(CHECKS, { pulls: 25, suites: 67 })
      .catch((error: { status: number }) => error.status);
    expect(await clock.settle(outcome)).toBe(502);
    expect(exchanges.slice(1).map(({ chargedUnits, outcome }) => [chargedUnits, outcome])).toEqual([
      [17, "graphql-timeout"],
      [17, "graphql-timeout"],
    ]);
  });

  it("costs nothing where there are no limits", async () => {
    const { octokit, github, exchanges, clock } = setUpGraphql({}, { ghes: true });
    github.fault({ kind: "status", status: 502, body: "html" });
    await clock.settle(octokit.graphql("{ viewer { login } }"));
    expect(exchanges.map(({ chargedUnits, costTold }) => [chargedUnits, costTold])).toEqual([
      [0, false],
      [0, false],
    ]);
  });
});

describe("a server without rateLimit", () => {
  it("gets the query again as it is, and is asked for no cost any more", async () => {
    const { squad } = setUpGraphql();
    const seen: string[] = [];
    const fetch: typeof globalThis.fetch = async (_, init) => {
      const { query } = JSON.parse(String(init?.body)) as { query: string };
      seen.push(query);
      if (!query.includes("rateLimit")) return Response.json({ data: { viewer: { login: "mona" } } });
      const message = "Field 'rateLimit' doesn't exist on type 'Query'";
      const column = query.indexOf("squadRateLimit") + 1;
      return Response.json({
        errors: [{ message, locations: [{ line: 1, column }], path: ["query", "squadRateLimit"] }],
      });
    };
    const { Octokit } = await import("@octokit/core");
    const { squadRate } = await import("../../../src/plugin.js");
    const octokit = new (Octokit.plugin(squadRate))({ auth: TOKEN, squad, request: { fetch } });
    const query = "{ viewer { login } }";
    for (let call = 0; call < 2; call++) expect(await octokit.graphql(query)).toEqual({ viewer: { login: "mona" } });
    expect(seen.map((one) => one.includes("rateLimit"))).toEqual([true, false, false]);
  });
});
