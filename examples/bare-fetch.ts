/**
 * The same engine without Octokit: `createSquad().fetch` for any client that takes a `fetch`, or for none.
 *
 * GitHub is simulated: leave out the option `fetch` and give a real token.
 */
import assert from "node:assert/strict";
import { createSquad } from "octokit-plugin-squad-rate";
import { createSimulatedGitHub } from "octokit-plugin-squad-rate/sim";

const github = createSimulatedGitHub();
github.world.addToken("ghp_example", "mona");

await using squad = createSquad({ agent: "clerk", fetch: github.fetch });
const headers = { authorization: "Bearer ghp_example", accept: "application/vnd.github+json", "user-agent": "clerk" };

const first = await squad.fetch("https://api.github.com/user", { headers });
console.log(first.status, first.headers.get("x-squad-rate"), ((await first.json()) as { login: string }).login);

// A 304 becomes the answer that it confirms: an ordinary Response with status 200 and its body.
const second = await squad.fetch("https://api.github.com/user", {
  headers,
  squad: { priority: 2, operation: "whoami" },
});
console.log(second.status, second.headers.get("x-squad-rate"), ((await second.json()) as { login: string }).login);

assert.equal(second.status, 200);
assert.equal(second.headers.get("x-squad-rate"), "revalidated");
assert.equal(squad.status().counters.chargedUnits, 1);
