import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createProxy } from "../../src/proxy/index.js";
import { createReport, type TraceRecord } from "../../src/report/index.js";
import { createSimulatedGitHub, createVirtualClock, type SimulatedGitHub } from "../../src/sim/index.js";
import { createGhHome, type GhRun, requireGh } from "../harness/gh.js";

const found = await requireGh();
const ON = { owner: "acme", repo: "app" } as const;
const AT = ["-R", "acme/app"] as const;

interface Desk {
  readonly github: SimulatedGitHub;
  readonly trace: readonly TraceRecord[];
  gh(...args: readonly string[]): Promise<GhRun>;
}

/** gh at a GitHub that holds the same each time; on a clock that stands still if `stands`. */
async function setUp(
  way: "directly" | "through a proxy",
  { stands = false, maxWaitMs }: { readonly stands?: boolean; readonly maxWaitMs?: number } = {},
): Promise<Desk> {
  const github = createSimulatedGitHub(stands ? { clock: createVirtualClock() } : {});
  fill(github);
  const home = await createGhHome(found.program);
  const own = join(home.socketPath, "../github-itself.sock");
  const server = await github.listen({ socketPath: way === "directly" ? home.socketPath : own });
  const trace: TraceRecord[] = [];
  const proxy =
    way === "directly"
      ? undefined
      : await createProxy({
          upstream: `http+unix://${own}`,
          squad: { maxWaitMs, trace: (record) => trace.push(record) },
        });
  await proxy?.admit({ agent: "data", socketPath: home.socketPath });
  onTestFinished(async () => {
    await proxy?.close();
    await server.close();
    await home.remove();
  });
  return { github, trace, gh: (...args) => home.run(args, { GH_TOKEN: "ghp_mona" }) };
}

function fill({ world }: SimulatedGitHub): void {
  world.addOrganization("acme");
  world.addUser({ login: "mona", name: "Mona" });
  world.addToken("ghp_mona", "mona", { scopes: "repo, read:org, user" });
  world.addRepository({ ...ON, name: ON.repo, visibleTo: ["mona"], description: "An app" });
  world.addIssue({ ...ON, title: "Broken", body: "It is.", labels: ["bug"], user: "mona", assignees: ["mona"] });
  const { headSha } = world.addPullRequest({
    ...ON,
    title: "Fix",
    body: "Closes #1",
    user: "mona",
    reviewers: ["octo"],
  });
  world.addCheckRun({ ...ON, ref: headSha, name: "build", conclusion: "failure" });
  world.addReview({ ...ON, number: 2, state: "APPROVED", user: "hubot" });
  world.addPullRequest({ ...ON, title: "Idea", user: "hubot", draft: true, reviewers: ["mona"] });
}

const READS: readonly (readonly string[])[] = [
  ["pr", "list", ...AT],
  ["pr", "list", ...AT, "--search", "fix", "--json", "number,title,author,reviews,statusCheckRollup"],
  ["pr", "view", "2", ...AT],
  ["pr", "view", "2", ...AT, "--comments"],
  ["pr", "checks", "2", ...AT],
  ["pr", "diff", "2", ...AT],
  ["pr", "status", ...AT],
  ["issue", "list", ...AT],
  ["issue", "view", "1", ...AT],
  ["repo", "view", "acme/app"],
  ["label", "list", ...AT],
  ["api", "user"],
  ["api", "--paginate", "repos/acme/app/issues?state=all&per_page=1", "--jq", ".[].title"],
  ["api", "graphql", "-f", "query=query Who { viewer { login } }"],
  ["api", "repos/acme/app/pulls/99"],
];
const WRITES: readonly (readonly string[])[] = [
  ["pr", "comment", "2", ...AT, "--body", "Nice."],
  ["pr", "review", "3", ...AT, "--approve"],
  ["pr", "ready", "3", ...AT],
  ["pr", "merge", "3", ...AT, "--squash"],
  ["issue", "create", ...AT, "--title", "New", "--body", "It is."],
  ["issue", "close", "1", ...AT],
  ["api", "repos/acme/app/issues/1/comments", "-f", "body=Done.", "--jq", ".body"],
];

describe.skipIf(found.missing)(`${found.label} through a proxy`, { timeout: 120_000 }, () => {
  it.each([
    ["reads", READS],
    ["writes", WRITES],
  ])("prints, complains and ends as directly when it %s", async (_, commands) => {
    const [direct, proxied] = [
      await setUp("directly", { stands: true }),
      await setUp("through a proxy", { stands: true }),
    ];
    for (const words of commands) {
      const expected = await direct.gh(...words);
      expect({ words, ...(await proxied.gh(...words)) }).toEqual({ words, ...expected });
    }
    expect(proxied.github.log.map(({ method, path }) => [method, path])).toEqual(
      direct.github.log.map(({ method, path }) => [method, path]),
    );
  });

  it("is known by agent and cost in each call that reads", async () => {
    const { github, trace, gh } = await setUp("through a proxy");
    for (const words of READS) await gh(...words);

    const { scorecard, spend } = await createReport({ records: trace });
    const charged = github.log.reduce((sum, { chargedUnits }) => sum + chargedUnits, 0);
    expect(scorecard).toMatchObject({
      exchanges: github.log.length,
      units: charged,
      opaque: { exchanges: 0, noAgent: 0, noRoute: 0, noCost: 0 },
    });
    expect(spend.agents.rows).toMatchObject([{ name: "data", units: charged }]);
  });

  it.each([
    ["a read by REST", ["api", "user"], "gh: API rate limit exceeded: GET /user was not sent"],
    ["a read by GraphQL", ["pr", "list", ...AT], "HTTP 429: API rate limit exceeded: POST /graphql was not sent"],
  ])("says why the squad refuses %s, which does not reach GitHub", async (_, words, said) => {
    const { github, gh } = await setUp("through a proxy", { maxWaitMs: 0 });
    for (const resource of ["core", "graphql"] as const) github.consume("ghp_mona", resource, 5_000);
    // GitHub's own refusal, from which the squad learns.
    await gh(...words);
    const sent = github.log.length;

    const { status, stderr } = await gh(...words);

    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(said) });
    expect(github.log).toHaveLength(sent);
  });
});
