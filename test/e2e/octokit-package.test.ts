import { Octokit } from "octokit";
import { describe, expect, it } from "vitest";
import { type SquadOptions, squadRate } from "../../src/index.js";
import { FORMS, reachGitHub } from "./simulated-octokit.js";

const REPO = { owner: "mona", repo: "hello" };

/** The whole package as it is installed: throttling and retry on, inside ours. */
async function setUp(form: (typeof FORMS)[number], squad: SquadOptions = {}, more: object = {}) {
  const reached = await reachGitHub(form);
  const { github, clock, client } = reached;
  for (let number = 1; number <= 5; number++) github.world.addIssue({ ...REPO, title: `Issue ${number}` });
  const octokit = new (Octokit.plugin(squadRate))({
    auth: "ghp_mona",
    ...client,
    squad: { agent: "reader", clock, ...squad },
    ...more,
  });
  const statuses = () => github.log.map(({ status }) => status);
  return { ...reached, octokit, statuses };
}

describe.each(FORMS)("the octokit package, GitHub %s", (form) => {
  it("reads for nothing what has not changed: request, rest, paginate and its iterator over absolute addresses", async () => {
    const { octokit, github, statuses } = await setUp(form);
    const list = { ...REPO, per_page: 2 };
    const titles: Record<string, unknown>[] = [];
    for (let round = 0; round < 2; round++) {
      const iterated: string[] = [];
      for await (const page of octokit.paginate.iterator(octokit.rest.issues.listForRepo, list)) {
        iterated.push(...page.data.map(({ title }) => title));
      }
      titles.push({
        rest: (await octokit.rest.issues.get({ ...REPO, issue_number: 1 })).data.title,
        requested: (
          await octokit.request("GET /repos/{owner}/{repo}/issues/{issue_number}", { ...REPO, issue_number: 2 })
        ).data.title,
        paginated: (await octokit.paginate(octokit.rest.issues.listForRepo, list)).map(({ title }) => title),
        iterated,
      });
    }
    const all = [5, 4, 3, 2, 1].map((number) => `Issue ${number}`);
    const seen = { rest: "Issue 1", requested: "Issue 2", paginated: all, iterated: all };
    expect(titles).toEqual([seen, seen]);
    expect(statuses()).toEqual([...Array(5).fill(200), ...Array(11).fill(304)]);
    expect(github.usage("ghp_mona").used).toBe(5);
  });

  it("asks GraphQL as ever, pages included", async () => {
    const { octokit, statuses } = await setUp(form, {}, { throttle: { enabled: false } });
    const { viewer } = await octokit.graphql<{ readonly viewer: { readonly login: string } }>("{ viewer { login } }");
    expect(viewer.login).toBe("mona");
    const query = `query ($cursor: String) { repository(owner: "mona", name: "hello") {
      issues(first: 2, after: $cursor) { nodes { title } pageInfo { hasNextPage endCursor } } } }`;
    const { repository } = await octokit.graphql.paginate(query);
    expect(repository.issues.nodes).toHaveLength(5);
    expect(statuses()).toEqual([200, 200, 200, 200]);
    await expect(octokit.graphql("{ nobody }")).rejects.toMatchObject({ name: "GraphqlResponseError" });
  });

  it("retries what fails where that is left to it, and then the answer is kept", async () => {
    const { octokit, github, statuses } = await setUp(form, { retry: false }, { retry: { retryAfterBaseValue: 0 } });
    github.fault({ kind: "status", status: 502, times: 2 });
    for (let round = 0; round < 2; round++) expect((await octokit.rest.repos.get(REPO)).data.name).toBe("hello");
    expect(statuses()).toEqual([502, 502, 200, 304]);
  });

  it("sees GitHub's refusals where they are left to it, and the caller gets GitHub's error", async () => {
    const asked: number[] = [];
    const onRateLimit = (retryAfter: number): boolean => {
      asked.push(retryAfter);
      return false;
    };
    const throttle = { onRateLimit, onSecondaryRateLimit: () => false };
    const { octokit, github } = await setUp(
      form,
      { light: false, retry: false },
      { throttle, retry: { enabled: false } },
    );
    github.consume("ghp_mona", "core", 5_000);
    await expect(octokit.rest.repos.get(REPO)).rejects.toMatchObject({
      name: "HttpError",
      status: 403,
      response: { headers: { "x-ratelimit-remaining": "0" } },
    });
    expect(asked).toEqual([expect.closeTo(3_600, -2)]);
  });

  it("lets a refusal of ours pass at once, past throttling and retry", async () => {
    const { octokit, github } = await setUp(form, { maxWaitMs: 0 });
    github.consume("ghp_mona", "core", 4_500);
    await octokit.rest.repos.get(REPO);
    await expect(octokit.rest.issues.listForRepo(REPO)).rejects.toMatchObject({
      code: "SQUAD_RATE_LIGHT",
      status: 429,
    });
    expect(github.log).toHaveLength(1);
  });
});
