/**
 * graphql-request with a squad's fetch: the same data and the same errors, and the trace knows what each query cost.
 *
 * GitHub is simulated: leave out the option `fetch` and give a real token.
 */
import assert from "node:assert/strict";
import { ClientError, GraphQLClient, gql } from "graphql-request";
import { createSquad } from "octokit-plugin-squad-rate";
import type { TraceRecord } from "octokit-plugin-squad-rate/report";
import { createSimulatedGitHub, populateWorld } from "octokit-plugin-squad-rate/sim";

const github = createSimulatedGitHub();
github.world.addToken("ghp_example", "mona");
populateWorld(github.world, { owner: "acme", pullRequests: 4 });

const trace: TraceRecord[] = [];
await using squad = createSquad({ agent: "reviewer", fetch: github.fetch, trace: (record) => trace.push(record) });
const client = new GraphQLClient("https://api.github.com/graphql", {
  fetch: squad.fetch,
  headers: { authorization: "Bearer ghp_example" },
});

interface Reviewed {
  readonly repository: {
    readonly pullRequests: { readonly nodes: readonly { readonly number: number; readonly title: string }[] };
  };
}
const REVIEWED = gql`
  query Reviewed($owner: String!) {
    repository(owner: $owner, name: "app-1") {
      pullRequests(first: 100) { nodes { number title reviews(first: 50) { nodes { comments(first: 5) { totalCount } } } } }
    }
  }
`;

const { repository } = await client.request<Reviewed>(REVIEWED, { owner: "acme" });
for (const { number, title } of repository.pullRequests.nodes) console.log(`#${number} ${title}`);

for (const record of trace) {
  if (record.kind === "attempt") console.log(record.agent, record.operation, record.graphql?.cost, "units");
}
assert.equal(github.log.at(-1)?.chargedUnits, 51);

const failure: unknown = await client.request("{ nope }").catch((error: unknown) => error);
assert.ok(failure instanceof ClientError);
console.log(failure.response.errors?.[0]?.message);
