/**
 * Several agents in one process, each with an Octokit and a name of its own, in one squad: what one has asked, the others
 * need not pay for.
 *
 * GitHub is simulated.
 */
import assert from "node:assert/strict";
import { Octokit } from "@octokit/core";
import { createSquad, squadRate, squadRequest } from "octokit-plugin-squad-rate";
import { createSimulatedGitHub } from "octokit-plugin-squad-rate/sim";

const github = createSimulatedGitHub();
github.world.addToken("ghp_example", "mona");
github.world.addRepository({ owner: "mona", name: "hello" });

const SquadOctokit = Octokit.plugin(squadRate);
const squad = createSquad();

/** `request` in Octokit's constructor is what each of its calls says, unless the call says otherwise. */
function octokitOf(agent: string, priority: 0 | 1 | 2): InstanceType<typeof SquadOctokit> {
  return new SquadOctokit({
    auth: "ghp_example",
    squad,
    request: { fetch: github.fetch, squad: squadRequest({ agent, priority }) },
  });
}

const agents = [octokitOf("merge-queue", 0), octokitOf("reviewer", 1), octokitOf("dashboard", 2)];
const answers = await Promise.all(
  agents.map((octokit) => octokit.request("GET /repos/{owner}/{repo}/pulls", { owner: "mona", repo: "hello" })),
);
console.log(answers.map(({ headers }) => headers["x-squad-rate"]).join(", "));
console.log(`${github.log.length} request was sent for ${answers.length} agents`);
assert.equal(github.log.length, 1);
await squad.close();
