/**
 * Probot, and many a webhook handler, makes a new Octokit for each event. All of one class with equal options are one
 * squad, so nothing is lost between events.
 *
 * GitHub is simulated.
 */
import assert from "node:assert/strict";
import { Octokit } from "@octokit/core";
import { squadRate } from "octokit-plugin-squad-rate";
import { createSimulatedGitHub } from "octokit-plugin-squad-rate/sim";

const github = createSimulatedGitHub();
github.world.addRepository({ owner: "mona", name: "hello" });

// Once, where the program starts. With Probot: `new Server({ Probot: Probot.defaults({ Octokit: SquadOctokit }) })`.
const SquadOctokit = Octokit.plugin(squadRate).defaults({
  request: { fetch: github.fetch },
  squad: { agent: "label-bot", priority: 1 },
});

async function onEvent(token: string): Promise<unknown> {
  const octokit = new SquadOctokit({ auth: token });
  const { headers } = await octokit.request("GET /repos/{owner}/{repo}/labels", { owner: "mona", repo: "hello" });
  return headers["x-squad-rate"];
}

// Tokens come and go; each event brings another one here, and the cache stays warm.
const outcomes: unknown[] = [];
for (const hour of [1, 2, 3]) {
  const token = `ghp_hour${hour}`;
  github.world.addToken(token, "mona");
  outcomes.push(await onEvent(token));
}
console.log(outcomes.join(", "));
assert.deepEqual(outcomes, ["miss", "revalidated", "revalidated"]);
