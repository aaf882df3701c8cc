/**
 * The plugin on core's Octokit: a read that has not changed is answered for free, and the squad knows what is left.
 *
 * GitHub is simulated, so that the example runs anywhere: leave out `request: { fetch }` and give a real token.
 */
import assert from "node:assert/strict";
import { Octokit } from "@octokit/core";
import { squadRate } from "octokit-plugin-squad-rate";
import { createSimulatedGitHub } from "octokit-plugin-squad-rate/sim";

const github = createSimulatedGitHub();
github.world.addToken("ghp_example", "mona");
github.world.addRepository({ owner: "mona", name: "hello" });
github.world.addPullRequest({ owner: "mona", repo: "hello", title: "Say hello" });

const octokit = new (Octokit.plugin(squadRate))({
  auth: "ghp_example",
  request: { fetch: github.fetch },
  squad: { agent: "reviewer" },
});

async function poll(): Promise<unknown> {
  const { data, headers } = await octokit.request("GET /repos/{owner}/{repo}/pulls", { owner: "mona", repo: "hello" });
  const titles = data.map(({ title }) => title).join(", ");
  console.log(
    `${String(headers["x-squad-rate"]).padEnd(11)}  ${headers["x-ratelimit-remaining"]} units left: ${titles}`,
  );
  return headers["x-squad-rate"];
}

// Asked and kept; unchanged, so that GitHub answers 304 and charges nothing; and changed, which costs a unit again.
assert.equal(await poll(), "miss");
assert.equal(await poll(), "revalidated");
github.world.addPullRequest({ owner: "mona", repo: "hello", title: "Say goodbye" });
assert.equal(await poll(), "changed");

const { principals, counters } = octokit.squad.status();
console.log(`core: ${principals[0]?.windows.core?.light}; ${counters.calls} calls for ${counters.chargedUnits} units`);
assert.equal(counters.chargedUnits, 2);
await octokit.squad.close();
