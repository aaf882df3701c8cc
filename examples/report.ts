/**
 * Who spent it: four agents poll a repository for two hours, each in its own way, while a colleague uses the same token by
 * hand. Their trace is kept in memory (`trace: "trace.jsonl"` would write it to a file) and made into a report: as text, and
 * as a page.
 *
 * GitHub is simulated, on a clock that is moved by hand.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Octokit } from "@octokit/core";
import { createSquad, squadRate, squadRequest } from "octokit-plugin-squad-rate";
import { createReport, renderHtml, renderText, type TraceRecord } from "octokit-plugin-squad-rate/report";
import { createSimulatedGitHub, createVirtualClock, populateWorld } from "octokit-plugin-squad-rate/sim";

const clock = createVirtualClock();
const github = createSimulatedGitHub({ clock, latency: {} });
github.world.addToken("ghp_example", "mona");
populateWorld(github.world, { owner: "acme", pullRequests: 8 });

const trace: TraceRecord[] = [];
const squad = createSquad({ clock, trace: (record) => trace.push(record) });
const octokit = new (Octokit.plugin(squadRate))({ auth: "ghp_example", squad, request: { fetch: github.fetch } });

const where = { owner: "acme", repo: "app-1" };
const as = (agent: string, priority: 0 | 1 | 2) => ({ request: { squad: squadRequest({ agent, priority }) } });
const STATUS = `query pullRequests { repository(owner: "acme", name: "app-1") {
  pullRequests(first: 25) { nodes { number title reviews(first: 10) { totalCount } } } } }`;

for (let minute = 0; minute < 120; minute++) {
  const poll = [
    octokit.request("GET /repos/{owner}/{repo}/pulls", { ...where, ...as("lead", 0) }),
    octokit.request("GET /repos/{owner}/{repo}/pulls", { ...where, ...as("reviewer", 1) }),
    octokit.request("GET /repos/{owner}/{repo}/issues", { ...where, ...as("triager", 2) }),
    octokit.graphql(STATUS, as("dashboard", 2)),
  ];
  if (minute % 20 === 7) {
    const comment = { ...where, issue_number: 1, body: `Still there after ${minute} minutes.` };
    poll.push(
      octokit.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", { ...comment, ...as("triager", 2) }),
    );
  }
  if (minute % 10 === 0) poll.push(octokit.request("GET /rate_limit", as("lead", 0)));
  if (minute % 15 === 4) github.consume("ghp_example", "core", 40);
  await clock.settle(Promise.all(poll));
  await clock.advance(60_000);
}
await squad.close();

const report = await createReport({ records: trace }, { title: "Four agents and a colleague" });
console.log(renderText(report));

// To the unit what GitHub charged; what the colleague spent is the rest that no call explains.
const ledger = github.ledger();
assert.equal(
  report.scorecard.units,
  ledger.reduce((sum, entry) => sum + entry.chargedUnits, 0),
);
const hidden = ledger.reduce((sum, entry) => sum + entry.hiddenUnits, 0);
assert.ok(Math.abs(report.scorecard.hiddenUnits - hidden) <= 40, "all but the last of it has been seen in a header");

const folder = await mkdtemp(join(tmpdir(), "who-spent-it-"));
try {
  await writeFile(join(folder, "report.html"), renderHtml(report));
  await writeFile(join(folder, "report.json"), JSON.stringify(report));
  console.log(`written to ${folder}, and removed again`);
} finally {
  await rm(folder, { recursive: true });
}
