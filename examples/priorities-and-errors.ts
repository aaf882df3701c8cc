/**
 * What happens when quota runs low: options of single calls, who still passes, and what an error says.
 *
 * GitHub is simulated, and somebody else uses up its quota.
 */
import assert from "node:assert/strict";
import { Octokit } from "@octokit/core";
import { isSquadRateError, squadRate, squadRequest } from "octokit-plugin-squad-rate";
import { createSimulatedGitHub } from "octokit-plugin-squad-rate/sim";

const github = createSimulatedGitHub({ limits: { core: { limit: 100 } } });
github.world.addToken("ghp_example", "mona");
github.world.addRepository({ owner: "mona", name: "hello" });

const octokit = new (Octokit.plugin(squadRate))({ auth: "ghp_example", request: { fetch: github.fetch } });
const hello = { owner: "mona", repo: "hello" };

github.consume("ghp_example", "core", 85);
await octokit.request("GET /repos/{owner}/{repo}", hello); // its answer says that 14 of 100 are left: AMBER

try {
  const nightly = squadRequest({ agent: "nightly-report", priority: "P2", maxWaitMs: 5_000 });
  await octokit.request("GET /repos/{owner}/{repo}/issues", { ...hello, request: { squad: nightly } });
  assert.fail("the call should have been refused");
} catch (error) {
  if (!isSquadRateError(error)) throw error;
  console.log(error.code, error.status, error.resource);
  console.log(error.explain.join("\n"));
  console.log(`again in ${Math.ceil((error.retryAfterMs ?? 0) / 60_000)} min: ${error.remedy}`);
  assert.equal(error.code, "SQUAD_RATE_LIGHT");
}

// P0 passes an amber light, and so it does a red one if it says that this is an emergency.
const urgent = squadRequest({ agent: "merge-queue", priority: 0 });
await octokit.request("GET /repos/{owner}/{repo}/pulls", { ...hello, request: { squad: urgent } });
github.consume("ghp_example", "core", 9);
await octokit.request("GET /repos/{owner}/{repo}/labels", { ...hello, request: { squad: urgent } });

const rollback = squadRequest({ agent: "merge-queue", priority: 0, emergency: true, operation: "rollback" });
await octokit.request("GET /repos/{owner}/{repo}/commits", { ...hello, request: { squad: rollback } });
console.log(`light: ${octokit.squad.status().principals[0]?.windows.core?.light}, and the rollback passed`);
assert.equal(octokit.squad.status().principals[0]?.windows.core?.light, "red");

// A misspelt option is an error before anything is sent.
const bare = { squad: { priorty: 0 } };
await assert.rejects(octokit.request("GET /user", { request: bare }), (error) => {
  console.log((error as Error).message);
  return isSquadRateError(error) && error.code === "SQUAD_RATE_OPTIONS";
});
await octokit.squad.close();
