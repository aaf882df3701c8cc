import { Octokit } from "@octokit/core";
import { describe, expect, it } from "vitest";
import { squadRate } from "../../../src/plugin.js";
import { createSimulatedGitHub } from "../../../src/sim/index.js";
import { createVirtualClock } from "../../../src/sim/virtual-clock.js";
import { createSquad } from "../../../src/squad.js";
import { openStore } from "../../../src/store/open-store.js";
import { recordEvents } from "../../harness/record-events.js";

const TOKEN = "ghp_mona";
const PULLS =
  'query ($suites: Int!) { repository(owner: "mona", name: "app") { pullRequests(first: 25) { nodes { commits(last: 1) { nodes { commit { checkSuites(first: $suites) { nodes { checkRuns(first: 10) { nodes { name } } } } } } } } } } }';

async function setUp({ limit = 5_000, maxWaitMs = 0 } = {}) {
  const clock = createVirtualClock();
  const github = createSimulatedGitHub({ clock, secondary: false, limits: { graphql: { limit } } });
  github.world.addToken(TOKEN, "mona");
  github.world.addRepository({ owner: "mona", name: "app" });
  const store = await openStore("memory:", { clock });
  const member = (agent: string, fetch: typeof globalThis.fetch = github.fetch) => {
    const squad = createSquad({ agent, clock, store, maxWaitMs });
    return new (Octokit.plugin(squadRate))({ auth: TOKEN, squad, request: { fetch } });
  };
  return { clock, github, member, exchanges: recordEvents("squad-rate:exchange") };
}

describe("a pool that shares a GraphQL quota", () => {
  it("lends what a query costs, and has what it did not cost back", async () => {
    const { clock, github, member, exchanges } = await setUp();
    const [data, ralph] = [member("data"), member("ralph")];
    for (const octokit of [data, ralph, data]) await clock.settle(octokit.graphql(PULLS, { suites: 67 }));
    await clock.settle(ralph.graphql(PULLS, { suites: 1 }));
    expect(exchanges.map(({ reservedUnits, chargedUnits }) => [reservedUnits, chargedUnits])).toEqual([
      [17, 17],
      [17, 17],
      [17, 17],
      [1, 1],
    ]);
    await Promise.all([data, ralph].map(({ squad }) => clock.settle(squad.close())));
    expect(github.usage(TOKEN, "graphql").used).toBe(52);
  });

  it("sends nothing that it has no units for", async () => {
    const { clock, github, member } = await setUp({ limit: 100, maxWaitMs: 30_000 });
    const [data, ralph] = [member("data"), member("ralph")];
    const outcomes: string[] = [];
    for (let round = 0; round < 4; round++) {
      for (const octokit of [data, ralph]) {
        const call = octokit.graphql(PULLS, { suites: 67 }).then(
          () => "answered",
          ({ code }) => code as string,
        );
        outcomes.push(await clock.settle(call));
      }
    }
    // What is left over may lie with two, and be too little for a call of either.
    expect(outcomes.filter((outcome) => outcome === "answered").length).toBeGreaterThanOrEqual(4);
    expect(new Set(outcomes)).toEqual(new Set(["answered", "SQUAD_RATE_POOL"]));
    expect(github.log.filter(({ refusedBy }) => refusedBy !== undefined)).toEqual([]);
  });

  it("lets a new agent know what the others have paid", async () => {
    const { clock, github, member } = await setUp();
    // A server that reckons otherwise than the rule says.
    const dearer: typeof globalThis.fetch = async (input, init) => {
      const response = await github.fetch(input, init);
      const text = (await response.text()).replace(/"cost":\d+/, '"cost":9');
      return new Response(text, { status: response.status, headers: response.headers });
    };
    const data = member("data", dearer);
    await clock.settle(data.graphql(PULLS, { suites: 1 }));
    await clock.advance(5_000);
    const ralph = member("ralph");
    expect(await ralph.squad.estimate(PULLS, { suites: 1 })).toMatchObject({ units: 1, from: "rule" });
    await clock.settle(ralph.graphql("{ viewer { login } }"));
    await clock.advance(1_000);
    expect(await ralph.squad.estimate(PULLS, { suites: 1 })).toMatchObject({ units: 9, from: "learnt" });
  });
});
