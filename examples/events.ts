/**
 * Everything a squad does is published on `node:diagnostics_channel`: a metric, a log or a bill by agent is a few lines.
 *
 * GitHub is simulated.
 */
import assert from "node:assert/strict";
import { subscribe } from "node:diagnostics_channel";
import { Octokit } from "@octokit/core";
import {
  type CallEvent,
  type ExchangeEvent,
  type LightEvent,
  squadRate,
  squadRequest,
} from "octokit-plugin-squad-rate";
import { createSimulatedGitHub } from "octokit-plugin-squad-rate/sim";

const github = createSimulatedGitHub({ limits: { core: { limit: 20 } } });
github.world.addToken("ghp_example", "mona");
github.world.addRepository({ owner: "mona", name: "hello" });

const unitsByAgent = new Map<string, number>();
subscribe("squad-rate:exchange", (message) => {
  const { agent, chargedUnits } = message as ExchangeEvent;
  unitsByAgent.set(agent, (unitsByAgent.get(agent) ?? 0) + chargedUnits);
});
subscribe("squad-rate:call", (message) => {
  const { agent, route, outcome, waitMs } = message as CallEvent;
  console.log(`${agent.padEnd(8)} ${route}: ${outcome}, waited ${Math.round(waitMs)} ms`);
});
subscribe("squad-rate:light", (message) => {
  const { resource, from, to, remaining, limit } = message as LightEvent;
  console.log(`light of ${resource}: ${from} -> ${to}, ${remaining} of ${limit} left`);
});

const octokit = new (Octokit.plugin(squadRate))({ auth: "ghp_example", request: { fetch: github.fetch } });
const hello = { owner: "mona", repo: "hello" };
for (const agent of ["reviewer", "triager", "reviewer"]) {
  const request = { squad: squadRequest({ agent, priority: 0 }) };
  await octokit.request("GET /repos/{owner}/{repo}/pulls", { ...hello, request });
  await octokit.request("GET /repos/{owner}/{repo}/issues", { ...hello, request });
}
github.consume("ghp_example", "core", 14);
await octokit.request("GET /repos/{owner}/{repo}", {
  ...hello,
  request: { squad: squadRequest({ agent: "triager" }) },
});

console.log(Object.fromEntries(unitsByAgent));
assert.deepEqual(Object.fromEntries(unitsByAgent), { reviewer: 2, triager: 1 });
await octokit.squad.close();
