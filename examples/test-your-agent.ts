/**
 * A test of your own agent against a GitHub that you control, on a clock that you control: an hour passes in no time, and
 * nothing leaves this process. `assert` stands for your test runner.
 */
import assert from "node:assert/strict";
import { Octokit } from "@octokit/core";
import { createSquad, squadRate } from "octokit-plugin-squad-rate";
import { createSimulatedGitHub, createVirtualClock } from "octokit-plugin-squad-rate/sim";

/** The agent under test: counts open issues. */
async function countIssues(octokit: Octokit): Promise<number> {
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/issues", { owner: "mona", repo: "hello" });
  return data.length;
}

const clock = createVirtualClock();
const github = createSimulatedGitHub({ clock, limits: { core: { limit: 50 } }, latency: {} });
github.world.addToken("ghp_example", "mona");
github.world.addRepository({ owner: "mona", name: "hello" });
github.world.addIssue({ owner: "mona", repo: "hello", title: "Where is everybody?" });

const squad = createSquad({ clock, maxWaitMs: 7_200_000 });
const octokit = new (Octokit.plugin(squadRate))({ auth: "ghp_example", squad, request: { fetch: github.fetch } });

// `settle` moves the clock until the promise has its value: the simulated GitHub takes its 200 ms of virtual time.
assert.equal(await clock.settle(countIssues(octokit)), 1);

// A person in a browser spends the quota; the agent's next call learns of it, and the one after waits for the reset.
github.consume("ghp_example", "core", 45);
github.world.addIssue({ owner: "mona", repo: "hello", title: "Anybody?" });
assert.equal(await clock.settle(countIssues(octokit)), 2);
const before = clock.now();
assert.equal(await clock.settle(countIssues(octokit)), 2);
console.log(`the third call waited ${Math.round((clock.now() - before) / 60_000)} virtual minutes`);
assert.ok(clock.now() - before > 3_500_000);

// GitHub fails once, and the squad tries again; it goes on failing: what does your agent do?
github.fault({ kind: "status", status: 502, times: 1 });
assert.equal(await clock.settle(countIssues(octokit)), 2);
github.fault({ kind: "status", status: 502, times: 4 });
await assert.rejects(clock.settle(countIssues(octokit)), { status: 502 });

assert.equal(github.log.filter(({ refusedBy }) => refusedBy !== undefined).length, 0);
console.log(`${github.log.length} requests, none refused`);
await squad.close();
