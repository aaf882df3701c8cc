import { expect, it } from "vitest";
import { createSimulatedGitHub, createVirtualClock } from "../../src/sim/index.js";
import { createSquad } from "../../src/squad.js";
// It is imported on first use, for which a virtual clock does not wait.
import "graphql/language/parser.js";
import { AS_IT_COMES, SquadOctokit } from "../harness/octokit-in-squad.js";
import { recordEvents } from "../harness/record-events.js";

const TOKEN = "ghp_mona";
const REPOSITORY = { owner: "mona", repo: "hello" };
const BATCH = `query ($owner: String!, $repo: String!) {
  repository(owner: $owner, name: $repo) { pullRequests(first: 25) { nodes { number title } } }
}`;

/** An orchestrator that polls one repository with one pull request by three guards, and asks for a batch. */
function set() {
  const clock = createVirtualClock();
  const github = createSimulatedGitHub({ clock });
  github.world.addToken(TOKEN, "mona");
  github.world.addRepository({ owner: "mona", name: "hello" });
  github.world.addPullRequest({ ...REPOSITORY, title: "one" });
  const squad = createSquad({ agent: "orchestrator", clock, fetch: github.fetch, ...AS_IT_COMES });
  const octokit = new SquadOctokit({ auth: TOKEN, squad, request: { fetch: github.fetch } });
  const poll = () =>
    clock.settle(
      octokit.squad.guards(
        [
          ["GET /repos/{owner}/{repo}/pulls", REPOSITORY],
          ["GET /repos/{owner}/{repo}/issues", { ...REPOSITORY, state: "all" }],
          ["GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", { ...REPOSITORY, pull_number: 1 }],
        ],
        () => octokit.graphql<{ repository: { pullRequests: { nodes: unknown[] } } }>(BATCH, REPOSITORY),
        { key: "batch of mona/hello", maxAgeMs: 24 * 3_600_000 },
      ),
    );
  const used = () => ({ core: github.usage(TOKEN).used, graphql: github.usage(TOKEN, "graphql").used });
  return { clock, github, poll, used };
}

it("an hour of quiet polls every half minute costs nothing: all guards are 304s, and no batch is asked for", async () => {
  const { clock, poll, used } = set();
  await poll();
  const guards = recordEvents("squad-rate:guard");
  await clock.advance(3_600_000);
  for (let polls = 0; polls < 120; polls++) {
    expect(await poll()).toMatchObject({ how: "unchanged" });
    await clock.advance(30_000);
  }
  expect(used()).toEqual({ core: 0, graphql: 0 });
  expect(guards.map(({ reads, revalidated }) => [reads, revalidated])).toEqual(Array(120).fill([3, 3]));
});

it("a change costs the reads that show it and one batch", async () => {
  const { github, poll, used } = set();
  await poll();
  const before = used();
  github.world.addPullRequest({ ...REPOSITORY, title: "two" });
  const { value, how } = await poll();
  expect(how).toBe("produced");
  expect(value.repository.pullRequests.nodes).toHaveLength(2);
  expect(used()).toEqual({ core: before.core + 2, graphql: before.graphql + 1 });
});

it("a guard that GitHub refuses is stale, and no batch is asked for until it is heard again", async () => {
  const { clock, github, poll } = set();
  await poll();
  github.world.addPullRequest({ ...REPOSITORY, title: "two" });
  github.block(TOKEN, 120_000);
  const batches = () => github.log.filter(({ path }) => path === "/graphql").length;
  const before = batches();
  expect(await poll()).toMatchObject({ how: "stale", cause: { status: 403 } });
  expect(batches()).toBe(before);
  await clock.advance(180_000);
  expect(await poll()).toMatchObject({ how: "produced" });
  expect(batches()).toBe(before + 1);
});
