/**
 * Octokit's small clients, `@octokit/request` and `@octokit/graphql`, with a squad's fetch: neither has hooks, so neither takes
 * plugins.
 *
 * GitHub is simulated: leave out the option `fetch` of the squad and give a real token.
 */
import assert from "node:assert/strict";
import { graphql } from "@octokit/graphql";
import { request } from "@octokit/request";
import { createSquad } from "octokit-plugin-squad-rate";
import { createSimulatedGitHub, populateWorld } from "octokit-plugin-squad-rate/sim";

const github = createSimulatedGitHub();
github.world.addToken("ghp_example", "mona");
populateWorld(github.world, { owner: "acme", pullRequests: 4 });

await using squad = createSquad({ agent: "reader", fetch: github.fetch });
const defaults = { headers: { authorization: "Bearer ghp_example" }, request: { fetch: squad.fetch } };
const get = request.defaults(defaults);
const query = graphql.defaults(defaults);

const where = { owner: "acme", repo: "app-1" };
const first = await get("GET /repos/{owner}/{repo}/pulls", where);
const second = await get("GET /repos/{owner}/{repo}/pulls", where);
console.log(first.headers["x-squad-rate"], second.headers["x-squad-rate"], second.data.length, "pull requests");

const { viewer } = await query<{ readonly viewer: { readonly login: string } }>("{ viewer { login } }");
console.log(viewer.login);

assert.deepEqual(second.data, first.data);
assert.deepEqual(
  github.log.map(({ status, chargedUnits }) => [status, chargedUnits]),
  [
    [200, 1],
    [304, 0],
    [200, 1],
  ],
);
