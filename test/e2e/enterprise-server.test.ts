import { Octokit } from "@octokit/rest";
import { describe, expect, it } from "vitest";
import { squadRate } from "../../src/index.js";
import { outcomeOf } from "../harness/cache-outcome.js";
import { FORMS, reachGitHub } from "./simulated-octokit.js";

const REPO = { owner: "mona", repo: "hello" };

describe.each(FORMS)("GitHub Enterprise Server without limits and with tags of its own, %s", (form) => {
  const setUp = async () => {
    const reached = await reachGitHub(form, { ghes: true, etagFormula: "opaque" });
    const { github, clock, client } = reached;
    for (let number = 1; number <= 5; number++) github.world.addIssue({ ...REPO, title: `Issue ${number}` });
    github.world.addToken("ghp_hubot", "hubot");
    const Mine = Octokit.plugin(squadRate).defaults({
      ...client,
      squad: { agent: "reader", priority: 2, maxWaitMs: 0, clock },
    });
    return { ...reached, octokit: new Mine({ auth: "ghp_mona" }), hubot: new Mine({ auth: "ghp_hubot" }) };
  };

  it("lists through absolute addresses under /api/v3, and for nothing the second time", async () => {
    const { octokit, github } = await setUp();
    for (let round = 0; round < 2; round++) {
      const issues = await octokit.paginate(octokit.rest.issues.listForRepo, { ...REPO, per_page: 2 });
      expect(issues).toHaveLength(5);
    }
    expect(github.log.map(({ status }) => status)).toEqual([200, 200, 200, 304, 304, 304]);
  });

  it("never sends one token's tag with another, and keeps both at 304", async () => {
    const { octokit, hubot, github } = await setUp();
    for (let round = 0; round < 3; round++) {
      for (const client of [octokit, hubot]) await client.rest.repos.get(REPO);
    }
    expect(github.log.map(({ status }) => status)).toEqual([200, 200, 304, 304, 304, 304]);
  });

  it("makes nobody wait, and shows no numbers that it was not told", async () => {
    const { octokit, github } = await setUp();
    const calls = Array.from({ length: 50 }, (_, page) => octokit.rest.issues.listForRepo({ ...REPO, page: page + 1 }));
    expect((await Promise.all(calls)).every(({ headers }) => headers["x-ratelimit-limit"] === undefined)).toBe(true);
    expect(github.log).toHaveLength(50);
    const { principals, waiting } = octokit.squad.status();
    expect(principals.flatMap(({ windows }) => Object.values(windows)).map(({ limit }) => limit)).toEqual([undefined]);
    expect(waiting).toEqual([]);
  });

  it("ends with a write what was fresh in its repository, and with a mutation everything; GraphQL is at /api/graphql", async () => {
    const { octokit } = await setUp();
    const request = { squad: { cache: { freshForMs: 60_000 } } };
    const outcome = async () => outcomeOf(await octokit.rest.repos.get({ ...REPO, request }));
    expect([await outcome(), await outcome()]).toEqual(["miss", "fresh"]);
    await octokit.rest.issues.createComment({ ...REPO, issue_number: 1, body: "Hello" });
    expect([await outcome(), await outcome()]).toEqual([expect.not.stringMatching("fresh"), "fresh"]);
    expect(await octokit.graphql("{ viewer { login } }")).toEqual({ viewer: { login: "mona" } });
    expect(await outcome()).toBe("fresh");
    await octokit
      .graphql('mutation { addStar(input: { starrableId: "nobody" }) { clientMutationId } }')
      .catch(() => {});
    expect(await outcome()).not.toBe("fresh");
  });
});
