/**
 * A Keyv store that processes share: what one has read, another asks GitHub about with the right ETag, although it has a
 * token of its own. Two squads with one store stand for two processes.
 *
 * GitHub is simulated, and the store is a Map. In earnest: `new Keyv({ store: new KeyvRedis("redis://…") })`.
 */
import assert from "node:assert/strict";
import { Octokit } from "@octokit/core";
import Keyv from "keyv";
import { createSquad, squadRate } from "octokit-plugin-squad-rate";
import { createSimulatedGitHub } from "octokit-plugin-squad-rate/sim";

const github = createSimulatedGitHub();
github.world.addToken("ghp_monday", "mona");
github.world.addToken("ghp_tuesday", "mona");
github.world.addRepository({ owner: "mona", name: "hello" });

const entries = new Map<string, string>();
const store = new Keyv({ store: entries });
const SquadOctokit = Octokit.plugin(squadRate);

async function process(token: string, cache: { readonly store: boolean }): Promise<unknown> {
  await using squad = createSquad({ store, cache });
  const octokit = new SquadOctokit({ auth: token, squad, request: { fetch: github.fetch } });
  const { headers } = await octokit.request("GET /repos/{owner}/{repo}", { owner: "mona", repo: "hello" });
  return headers["x-squad-rate"];
}

assert.equal(await process("ghp_monday", { store: true }), "miss");
assert.equal(await process("ghp_tuesday", { store: true }), "revalidated");
console.log("The second process was answered 304, with another token: the store was warm.");

// What lies in the store is bodies and a few headers, no token and no ETag.
assert.ok([...entries.values()].every((entry) => !entry.includes("ghp_")));
assert.equal(await process("ghp_tuesday", { store: false }), "miss");
console.log("With cache: { store: false } no body goes into the store, and none is read from it.");

const squad = createSquad({ store });
await squad.cache.clear();
await squad.close();
console.log(`After squad.cache.clear(): ${await process("ghp_monday", { store: true })}`);
