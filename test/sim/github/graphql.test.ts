import { readFileSync } from "node:fs";
import {
  buildSchema,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  printSchema,
} from "graphql";
import { describe, expect, it } from "vitest";
import { SCHEMA_TEXT } from "../../../src/sim/github/graphql/schema.js";
import { nodeId } from "../../../src/sim/github/rest/render-values.js";
import { createTestGitHub, TOKEN } from "./world-fixture.js";

describe("the schema", () => {
  const file = new URL("../../../node_modules/@octokit/graphql-schema/schema.graphql", import.meta.url);
  const whole = buildSchema(readFileSync(file, "utf8"), { assumeValidSDL: true });
  const ours = buildSchema(SCHEMA_TEXT);
  const types = Object.values(ours.getTypeMap()).filter((type) => !type.name.startsWith("__"));

  it.each(types.map((type) => [type.name, type] as const))("has in %s nothing that GitHub's has not", (name, type) => {
    const real = whole.getType(name);
    expect(real).toBeDefined();
    expect(differences(type, real as GraphQLNamedType)).toEqual([]);
  });

  it("is valid", () => {
    expect(printSchema(ours)).toContain("type Query");
  });
});

function differences(ours: GraphQLNamedType, real: GraphQLNamedType): string[] {
  if (ours.constructor.name !== real.constructor.name) return [`${ours.name} is of another kind`];
  if (isEnumType(ours) && isEnumType(real))
    return ours
      .getValues()
      .filter((value) => real.getValue(value.name) === undefined)
      .map((value) => value.name);
  if (isUnionType(ours) && isUnionType(real)) {
    const members = new Set(real.getTypes().map((member) => member.name));
    return ours
      .getTypes()
      .filter((member) => !members.has(member.name))
      .map((member) => member.name);
  }
  if (isInputObjectType(ours) && isInputObjectType(real)) {
    return Object.values(ours.getFields())
      .filter((field) => String(real.getFields()[field.name]?.type) !== String(field.type))
      .map((field) => field.name);
  }
  if ((isObjectType(ours) && isObjectType(real)) || (isInterfaceType(ours) && isInterfaceType(real))) {
    return Object.values(ours.getFields()).flatMap((field) => {
      const other = real.getFields()[field.name];
      if (other === undefined || String(other.type) !== String(field.type)) return [`${field.name}: ${field.type}`];
      return field.args
        .filter((argument) => {
          const match = other.args.find((one) => one.name === argument.name);
          return (
            String(match?.type) !== String(argument.type) ||
            JSON.stringify(match?.defaultValue) !== JSON.stringify(argument.defaultValue)
          );
        })
        .map((argument) => `${field.name}(${argument.name}: ${getNamedType(argument.type)})`);
    });
  }
  return [];
}

const on = { owner: "acme", repo: "app" } as const;

describe("prices", () => {
  it("is 51 for GitHub's example of 100 repositories, 50 issues and 60 labels", async () => {
    const { query, github } = createTestGitHub();
    const { body } = await query(`{
      rateLimit { cost nodeCount used }
      viewer { repositories(first: 100) { edges { node { id issues(first: 50) { edges { node { id labels(first: 60) { edges { node { id name } } } } } } } } } }
    }`);
    expect(body.data).toMatchObject({ rateLimit: { cost: 51, nodeCount: 305_100, used: 51 } });
    expect(github.usage(TOKEN, "graphql").used).toBe(51);
    expect(github.log.at(-1)).toMatchObject({ chargedUnits: 51, points: 1, resource: "graphql" });
  });

  it("is 6 for a connection of 100 whose nodes each carry six connections", async () => {
    const { query } = createTestGitHub();
    const { body } = await query(`{
      rateLimit { cost }
      repository(owner: "acme", name: "app") { pullRequests(first: 100) { nodes {
        labels(first: 1) { totalCount } assignees(first: 1) { totalCount } comments(first: 1) { totalCount }
        reviews(first: 1) { totalCount } reviewThreads(first: 1) { totalCount } commits(first: 1) { totalCount }
      } } }
    }`);
    expect(body.data).toMatchObject({ rateLimit: { cost: 6 } });
  });

  it("counts a connection in a fragment once, whatever spreads it, and none that is skipped", async () => {
    const { query } = createTestGitHub();
    const { body } = await query(
      `query ($no: Boolean!) {
        rateLimit { nodeCount }
        repository(owner: "acme", name: "app") { ...F ...F issues(first: 10) { totalCount } labels(first: 90) @include(if: $no) { totalCount } }
      }
      fragment F on Repository { issues(first: 10) { nodes { id } } }`,
      { no: false },
    );
    expect(body.data).toMatchObject({ rateLimit: { nodeCount: 10 } });
  });

  it("reckons without running or charging on a dry run", async () => {
    const { query, github } = createTestGitHub();
    const { body } = await query("{ rateLimit(dryRun: true) { cost } viewer { login } }");
    expect(body).toEqual({ data: { rateLimit: { cost: 1 } } });
    expect(github.usage(TOKEN, "graphql").used).toBe(0);
  });

  it("charges a mutation 1 unit and 5 points", async () => {
    const { query, github } = createTestGitHub();
    const { body } = await query('{ repository(owner: "acme", name: "app") { id } }');
    const { id } = (body.data as unknown as { repository: { id: string } }).repository;
    const made = await query(
      'mutation ($id: ID!) { createIssue(input: { repositoryId: $id, title: "New" }) { issue { number } } }',
      { id },
    );
    expect(made.body).toEqual({ data: { createIssue: { issue: { number: 1 } } } });
    expect(github.log.at(-1)).toMatchObject({ chargedUnits: 1, points: 5 });
  });

  it.each([
    ["EXCESSIVE_PAGINATION", "{ viewer { repositories(first: 101) { totalCount } } }"],
    ["EXCESSIVE_PAGINATION", "{ viewer { repositories(last: -1) { totalCount } } }"],
    ["MISSING_PAGINATION_BOUNDARIES", "{ viewer { repositories { nodes { name } } } }"],
    ["MISSING_PAGINATION_BOUNDARIES", "{ viewer { repositories { totalCount pageInfo { endCursor } } } }"],
    ["MISSING_PAGINATION_BOUNDARIES", "query ($n: Int) { viewer { repositories(first: $n) { nodes { name } } } }"],
    [
      "MAX_NODE_LIMIT_EXCEEDED",
      "{ viewer { repositories(first: 100) { nodes { issues(first: 100) { nodes { comments(first: 100) { totalCount } } } } } } }",
    ],
  ])("refuses with %s", async (type, text) => {
    const { query } = createTestGitHub();
    const { response, body } = await query(text);
    expect([response.status, body.errors?.[0]?.type, body.data]).toEqual([200, type, undefined]);
  });
});

describe("unique connections", () => {
  const PULL = "... on PullRequest { labels(first: 10) { nodes { issues(first: 2) { totalCount } } } }";
  const ISSUE = PULL.replace("PullRequest", "Issue");
  const LABELABLE = PULL.replace("PullRequest", "Labelable");
  const node = (parts: string) => `{ rateLimit { nodeCount } node(id: "${nodeId("Repository", 1001)}") { ${parts} } }`;

  it.each([
    ["one on one type", node(`${PULL} ${PULL}`), 30],
    ["two on types that exclude each other", node(`${PULL} ${ISSUE}`), 60],
    ["one on types that may be one object's", node(`${PULL} ${LABELABLE}`), 30],
    ["one on types that a third brings together", node(`${PULL} ${ISSUE} ${LABELABLE}`), 30],
    ["two under other keys", node(`${PULL} ${PULL.replace("labels", "other: labels")}`), 60],
    ["several of another size within", node(`${PULL} ${PULL.replace("issues(first: 2)", "x: issues(first: 3)")}`), 60],
    [
      "none where no object comes",
      node(PULL.replace("labels", "... on Labelable { ... on Issue { labels").replace(/}$/, "} } }")),
      0,
    ],
    ["none of what is skipped", node(PULL.replace("issues(first: 2)", "$& @skip(if: true)")), 10],
    ["none in a page of none", node(PULL.replace("first: 10", "first: 0")), 0],
    [
      "one for each of the ids that a query names",
      `{ rateLimit { nodeCount } nodes(ids: ["${nodeId("User", 1001)}", "${nodeId("User", 1002)}"]) { ... on User { issues(first: 7) { totalCount } } } }`,
      14,
    ],
  ])("are %s", async (_, text, nodeCount) => {
    const { query } = createTestGitHub();
    const { body } = await query(text);
    expect(body.data).toMatchObject({ rateLimit: { nodeCount } });
  });

  it("are counted without a page size where nothing but a count is asked", async () => {
    const { query, github } = createTestGitHub();
    const { body } = await query(`{
      rateLimit { cost nodeCount }
      viewer { repositories(first: 100) { nodes { stargazers { totalCount } issues { totalCount } labels { __typename } } } }
      search(query: "", type: ISSUE) { issueCount }
    }`);
    // 1 + 200 + 1 requests; asking only what type labels are costs nothing.
    expect(body.data).toMatchObject({ rateLimit: { cost: 2, nodeCount: 100 }, search: { issueCount: 0 } });
    expect(github.usage(TOKEN, "graphql").used).toBe(2);
  });
});

describe("answers", () => {
  it("give data beside the error of a sibling", async () => {
    const { query } = createTestGitHub();
    const { body } = await query('{ viewer { login } missing: repository(owner: "acme", name: "nothing") { id } }');
    expect(body.data).toEqual({ viewer: { login: "mona" }, missing: null });
    expect(body.errors).toMatchObject([
      {
        type: "NOT_FOUND",
        path: ["missing"],
        message: "Could not resolve to a Repository with the name 'acme/nothing'.",
      },
    ]);
  });

  it("reach from pull requests to checks, and know unions and interfaces apart", async () => {
    const { query, github } = createTestGitHub();
    const { headSha, number } = github.world.addPullRequest({ ...on, title: "Fix", user: "mona", labels: ["bug"] });
    github.world.addCheckRun({ ...on, ref: headSha, name: "ci", conclusion: "failure" });
    github.world.addReview({ ...on, number, state: "APPROVED" });
    const { body } = await query(`{
      repository(owner: "acme", name: "app") {
        owner { __typename login }
        pullRequests(last: 5, states: [OPEN]) { totalCount nodes {
          title reviewDecision author { login ... on User { name } } labels(first: 5) { nodes { name } }
          commits(last: 1) { nodes { commit { oid statusCheckRollup { state contexts(first: 5) { nodes { __typename ... on CheckRun { name conclusion } } } } } } }
        } }
        issueOrPullRequest(number: 1) { __typename ... on PullRequest { headRefName } }
      }
    }`);
    expect(body).toEqual({
      data: {
        repository: {
          owner: { __typename: "Organization", login: "acme" },
          pullRequests: {
            totalCount: 1,
            nodes: [
              {
                title: "Fix",
                reviewDecision: "APPROVED",
                author: { login: "mona", name: "Mona" },
                labels: { nodes: [{ name: "bug" }] },
                commits: {
                  nodes: [
                    {
                      commit: {
                        oid: headSha,
                        statusCheckRollup: {
                          state: "FAILURE",
                          contexts: { nodes: [{ __typename: "CheckRun", name: "ci", conclusion: "FAILURE" }] },
                        },
                      },
                    },
                  ],
                },
              },
            ],
          },
          issueOrPullRequest: { __typename: "PullRequest", headRefName: "change-1" },
        },
      },
    });
  });

  it("page by cursor, forwards and backwards", async () => {
    const { query, github } = createTestGitHub();
    for (let count = 1; count <= 5; count++) github.world.addIssue({ ...on, title: `Issue ${count}` });
    const page = async (args: string) => {
      const { body } = await query(
        `{ repository(owner: "acme", name: "app") { issues(${args}) { nodes { number } pageInfo { endCursor hasNextPage hasPreviousPage } } } }`,
      );
      return (
        body.data as unknown as {
          repository: {
            issues: {
              nodes: { number: number }[];
              pageInfo: { endCursor: string; hasNextPage: boolean; hasPreviousPage: boolean };
            };
          };
        }
      ).repository.issues;
    };
    const first = await page("first: 2");
    expect([first.nodes.map((one) => one.number), first.pageInfo.hasNextPage]).toEqual([[1, 2], true]);
    const second = await page(`first: 2, after: "${first.pageInfo.endCursor}"`);
    expect([second.nodes.map((one) => one.number), second.pageInfo.hasPreviousPage]).toEqual([[3, 4], true]);
    expect((await page("last: 2")).nodes.map((one) => one.number)).toEqual([4, 5]);
  });

  it("look up nodes, and report one unknown id beside the others", async () => {
    const { query, github } = createTestGitHub();
    github.world.addIssue({ ...on, title: "One" });
    const found = await query('{ repository(owner: "acme", name: "app") { id issue(number: 1) { id } } }');
    const { repository } = found.body.data as unknown as { repository: { id: string; issue: { id: string } } };
    const { body } = await query("query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Issue { title } } }", {
      ids: [repository.issue.id, "I_nothing", repository.id],
    });
    expect(body.data).toEqual({
      nodes: [
        { __typename: "Issue", id: repository.issue.id, title: "One" },
        null,
        { __typename: "Repository", id: repository.id },
      ],
    });
    expect(body.errors).toMatchObject([{ type: "NOT_FOUND", path: ["nodes", 1] }]);
  });

  it("carry the rate headers of graphql and no ETag", async () => {
    const { query } = createTestGitHub();
    const { response } = await query("{ viewer { login } }");
    expect(response.headers.get("x-ratelimit-resource")).toBe("graphql");
    expect(response.headers.get("etag")).toBeNull();
  });
});

describe("refusals", () => {
  it("come with status 200 as RATE_LIMITED and truthful headers", async () => {
    const { query } = createTestGitHub({ limits: { graphql: { limit: 0 } } });
    const { response, body } = await query("{ viewer { login } }");
    expect([response.status, response.headers.get("x-ratelimit-remaining"), body.errors?.[0]?.type]).toEqual([
      200,
      "0",
      "RATE_LIMITED",
    ]);
  });

  it("come in the newer form with headers that still promise units", async () => {
    const { query } = createTestGitHub({ limits: { graphql: { limit: 100 } }, graphqlLimitForm: "graphql_rate_limit" });
    for (let count = 0; count < 100; count++) await query("{ viewer { login } }");
    const { response, body } = await query("{ viewer { login } }");
    expect(body.errors).toMatchObject([
      {
        type: "RATE_LIMIT",
        code: "graphql_rate_limit",
        message: expect.stringContaining("already exceeded for user ID"),
      },
    ]);
    expect(Number(response.headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0);
  });

  it("come with status 403 to clients without a credential, who have no GraphQL quota", async () => {
    const { github } = createTestGitHub();
    const response = await github.fetch("https://api.github.com/graphql", {
      method: "POST",
      body: '{"query":"{ viewer { login } }"}',
    });
    expect([response.status, response.headers.get("x-ratelimit-limit")]).toEqual([403, "0"]);
  });

  it("can null a part of the answer for want of resources", async () => {
    const { query, github } = createTestGitHub();
    github.fault({ kind: "resource-limits" });
    const { body } = await query(
      '{ rateLimit { cost } a: viewer { login } repository(owner: "acme", name: "app") { id } }',
    );
    expect(body.data).toMatchObject({ a: null, rateLimit: { cost: 1 }, repository: { id: expect.any(String) } });
    expect(body.errors).toMatchObject([{ type: "RESOURCE_LIMITS_EXCEEDED", path: ["a"] }]);
  });

  it("of a query that timed out cost extra units", async () => {
    const { query, github } = createTestGitHub();
    github.fault({ kind: "status", status: 502, extraUnits: 10 });
    const { response, body } = await query("{ viewer { login } }");
    expect([response.status, body.errors?.[0]?.message]).toEqual([
      502,
      expect.stringMatching(/^Something went wrong while executing your query/),
    ]);
    expect(github.usage(TOKEN, "graphql").used).toBe(10);
  });
});
