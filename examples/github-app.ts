/**
 * A GitHub App: `getInstallationOctokit` makes an Octokit each time, and tokens last an hour; the cache stays warm because
 * the squad belongs to the Octokit class and its options.
 *
 * GitHub is simulated, and so is the app's key.
 */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { App } from "@octokit/app";
import { Octokit } from "@octokit/core";
import { squadRate } from "octokit-plugin-squad-rate";
import { createSimulatedGitHub } from "octokit-plugin-squad-rate/sim";

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const github = createSimulatedGitHub();
github.world.addApp(1_234, { publicKey });
const installations = ["acme", "globex"].map((account) => {
  github.world.addRepository({ owner: account, name: "site" });
  return { account, ...github.world.addInstallation(1_234, { account }) };
});

const app = new App({
  appId: 1_234,
  privateKey,
  Octokit: Octokit.plugin(squadRate).defaults({ request: { fetch: github.fetch }, squad: { agent: "site-keeper" } }),
});

const outcomes: unknown[] = [];
for (const _event of ["push", "pull_request"]) {
  for (const { id, account } of installations) {
    const octokit = await app.getInstallationOctokit(id);
    const { headers } = await octokit.request("GET /repos/{owner}/{repo}", { owner: account, repo: "site" });
    outcomes.push(headers["x-squad-rate"]);
  }
}
console.log(outcomes.join(", "));
assert.deepEqual(outcomes, ["miss", "miss", "revalidated", "revalidated"]);

// Each installation has a quota of its own.
const octokit = await app.getInstallationOctokit(Number(installations[0]?.id));
const { principals } = octokit.squad.status();
for (const { id, windows } of principals) if (windows.core?.used) console.log(`${id}: ${windows.core.used} used`);
