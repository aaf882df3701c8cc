/**
 * Ten sessions poll one repository: a guard in front of the expensive query, one batch for all pull requests, and what each
 * poll has cost.
 *
 * GitHub is simulated, in this process.
 */
import assert from "node:assert/strict";
import { subscribe } from "node:diagnostics_channel";
import { Octokit } from "@octokit/core";
import { createSquad, type ExchangeEvent, squadRate } from "octokit-plugin-squad-rate";
import { createSimulatedGitHub, populateWorld } from "octokit-plugin-squad-rate/sim";

const github = createSimulatedGitHub();
github.world.addToken("ghp_example", "mona");
populateWorld(github.world, { owner: "acme", pullRequests: 10 });
const where = { owner: "acme", repo: "app-1" };

const units = { rest: 0, graphql: 0 };
subscribe("squad-rate:exchange", (message) => {
  const { resource, chargedUnits } = message as ExchangeEvent;
  units[resource === "graphql" ? "graphql" : "rest"] += chargedUnits;
});

const squad = createSquad({ agent: "poller" });
const SquadOctokit = Octokit.plugin(squadRate);
const sessions = Array.from(
  { length: 10 },
  () => new SquadOctokit({ auth: "ghp_example", squad, request: { fetch: github.fetch } }),
);

/** The state of every open pull request, by number: one query for all of them. */
async function states(octokit: (typeof sessions)[number]): Promise<Record<number, string>> {
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/pulls", where);
  const select = ({ number }: { readonly number: number }): string =>
    `repository(owner: "acme", name: "app-1") { pullRequest(number: ${number}) { mergeable commits(last: 1) { nodes { commit { statusCheckRollup { state } } } } } }`;
  const found: Record<number, string> = {};
  for await (const { item, value, error } of octokit.squad.batch(data, select)) {
    found[item.number] = error === undefined ? JSON.stringify(value) : error.message;
  }
  return found;
}

async function poll(): Promise<string> {
  units.rest = 0;
  units.graphql = 0;
  const answers = await Promise.all(
    sessions.map((octokit) =>
      octokit.squad.guard("GET /repos/{owner}/{repo}/pulls", where, () => states(octokit), {
        key: "states of acme/app-1",
      }),
    ),
  );
  assert.equal(Object.keys(answers[0]?.value ?? {}).length, Object.keys(answers[9]?.value ?? {}).length);
  const count = (how: string): number => answers.filter((answer) => answer.how === how).length;
  return `produced ${count("produced")}, shared ${count("shared")}, unchanged ${count("unchanged")}; ${units.rest} REST and ${units.graphql} GraphQL units`;
}

console.log("first poll:   ", await poll());
console.log("nothing new:  ", await poll());
github.world.addPullRequest({ ...where, title: "One more" });
console.log("one more:     ", await poll());
await squad.close();
