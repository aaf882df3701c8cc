import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Octokit } from "@octokit/core";
import { afterAll, describe, it } from "vitest";
import { squadRate } from "../../src/plugin.js";
import { createSimulatedGitHub } from "../../src/sim/index.js";
import { requireServer } from "../harness/servers.js";

const directory = await mkdtemp(join(tmpdir(), "squad-rate-guard-"));
afterAll(() => rm(directory, { recursive: true, force: true }));
const redis = await requireServer("redis");
const postgres = await requireServer("postgres");
const SquadOctokit = Octokit.plugin(squadRate);

const STATUS = `query ($owner: String!, $repo: String!) {
  repository(owner: $owner, name: $repo) { pullRequests(first: 25) { nodes { number title } } }
}`;

describe.concurrent("two squads in real time, before the simulated GitHub", () => {
  for (const { label, url, missing } of [{ label: "file", url: `file:${directory}`, missing: false }, redis, postgres])
    it.skipIf(missing)(`ask for what a batch costs once for each change, through ${label}`, async ({ expect }) => {
      const token = `ghp_${randomUUID().replaceAll("-", "")}`;
      const github = createSimulatedGitHub();
      github.world.addToken(token, "mona");
      github.world.addRepository({ owner: "mona", name: "hello" });
      const repository = { owner: "mona", repo: "hello" };
      const octokits = ["first", "second"].map(
        (agent) =>
          new SquadOctokit({
            auth: token,
            request: { fetch: github.fetch },
            squad: { agent, store: url, storeTimeoutMs: 5_000, pool: false, pacing: false },
          }),
      );
      let produced = 0;
      const poll = () =>
        Promise.all(
          octokits.map(async ({ squad, graphql }) => {
            const produce = async () => {
              produced++;
              const answer = await graphql(STATUS, repository);
              await new Promise((resolve) => setTimeout(resolve, 300));
              return answer;
            };
            return squad.guard("GET /repos/{owner}/{repo}/issues", { ...repository, state: "all" }, produce);
          }),
        );
      const units = () => github.usage(token, "graphql").used;

      const first = await poll();
      expect(produced).toBe(1);
      expect(first[0]?.value).toEqual(first[1]?.value);
      const costUnits = units();
      expect(costUnits).toBeGreaterThan(0);
      expect(await poll()).toMatchObject([{ how: "unchanged" }, { how: "unchanged" }]);
      expect([produced, units()]).toEqual([1, costUnits]);

      github.world.addIssue({ owner: "mona", repo: "hello", title: "changed" });
      const second = await poll();
      expect(second[0]?.value).toEqual(second[1]?.value);
      expect([produced, units()]).toEqual([2, 2 * costUnits]);
      for (const { squad } of octokits) await squad.close();
    });
});
