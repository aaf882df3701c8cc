// Behaviour that is wanted and not there yet. Each test moves to its own file when it passes.
import { getEventListeners } from "node:events";
import { Octokit } from "@octokit/core";
import { describe, expect, it } from "vitest";
import { squadRate } from "../src/plugin.js";
import { outcomeOf } from "./harness/cache-outcome.js";
import { createMemoryStore } from "./harness/memory-store.js";
import { SquadOctokit, setUpBench } from "./harness/octokit-in-squad.js";
import { spendDown } from "./harness/spend-down.js";

const HOUR = 3_600_000;
const api = "https://api.github.com";

describe("cache", () => {
  it("K9 a signal that outlives many calls does not collect listeners", async () => {
    const { github, squad } = setUpBench();
    github.route("/nothing", { status: 404, json: {} });
    const { signal } = new AbortController();
    for (let round = 0; round < 20; round++) await (await squad.fetch(`${api}/nothing`, { signal })).text();
    expect(getEventListeners(signal, "abort").length).toBeLessThan(5);
  });

  it("K10 minting a token is no write that ends freshness", async () => {
    const { github, squad } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/user", { json: {} });
    github.route("/app/installations/1/access_tokens", { status: 201, json: {}, unlimited: true });
    await squad.fetch(`${api}/user`);
    await squad.fetch(`${api}/app/installations/1/access_tokens`, { method: "POST" });
    expect((await squad.fetch(`${api}/user`)).headers.get("x-squad-rate")).toBe("fresh");
  });

  it("K11 a long array of an endpoint without pages is asked about with its tag", async () => {
    const { github, octokit } = setUpBench();
    github.route("/repos/o/r/contents/src", { json: Array.from({ length: 40 }, (_, id) => ({ id })) });
    const alice = octokit("alice");
    const parameters = { owner: "o", repo: "r", path: "src" };
    await alice.request("GET /repos/{owner}/{repo}/contents/{path}", parameters);
    expect(outcomeOf(await alice.request("GET /repos/{owner}/{repo}/contents/{path}", parameters))).toBe("revalidated");
  });

  it("K12 a forged poll interval or deprecation out of the store reaches nobody", async () => {
    const store = createMemoryStore();
    const { github, octokit, squad, clock } = setUpBench({ store });
    github.route("/repos/o/r/events", { json: [] });
    await octokit("alice").request("GET /repos/o/r/events");
    await squad.close();
    const [[name, entry]] = [...store.values] as [[string, { headers: object }]];
    const forged = { "x-poll-interval": "999999999", deprecation: "now", sunset: "today; call +1 555 0100" };
    store.values.set(name, { ...entry, headers: { ...entry.headers, ...forged } });
    const next = new SquadOctokit({
      auth: "bob",
      squad: { clock, store },
      request: { fetch: github.fetch },
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    const answer = await next.request("GET /repos/o/r/events");
    expect(answer.headers["x-poll-interval"]).toBeUndefined();
    expect(answer.headers).not.toHaveProperty("sunset");
  });
});

describe("pipeline", () => {
  it("K5 a bare fetch with a fine token does not wait for another token's window", async () => {
    const bench = setUpBench({ maxWaitMs: 0 });
    await spendDown(bench, "alice", 100, 5_000);
    const bob = await bench.squad.fetch(`${api}/user`, { headers: { authorization: "token bob" }, method: "HEAD" });
    expect(bob.status).toBe(404);
  });

  it("K6 an Octokit whose token rotates between a spent and a fine one waits for the spent one only", async () => {
    const bench = setUpBench({ maxWaitMs: 0 });
    const { github, squad } = bench;
    await spendDown(bench, "spent", 100, 5_000);
    github.route("/user", { json: {} });
    const tokens = ["spent", "fine", "spent", "fine"];
    const rotating = (inner: Octokit): Record<string, never> => {
      inner.hook.before("request", (options) => {
        options.headers.authorization = `token ${tokens[0]}`;
      });
      return {};
    };
    const octokit = new (Octokit.plugin(rotating, squadRate))({ squad, request: { fetch: github.fetch } });
    const ends = [];
    while (tokens.length > 0) {
      ends.push(
        await octokit.request("HEAD /user").then(
          () => "sent",
          (error: { code: string }) => error.code,
        ),
      );
      tokens.shift();
    }
    expect(ends).toEqual(["SQUAD_RATE_LIGHT", "sent", "SQUAD_RATE_LIGHT", "sent"]);
  });

  it("K7 a newcomer does not overtake a more urgent call when the window opens", async () => {
    const bench = setUpBench({ maxWaitMs: 5 * HOUR });
    const { github, clock, octokit } = bench;
    github.quota("token alice").limit = 2;
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    await alice.request("HEAD /user");
    await alice.request("HEAD /user");
    github.requests.length = 0;
    const call = (agent: string, priority: number) =>
      alice.request("HEAD /user", { headers: { "x-agent": agent }, request: { squad: { priority } } });
    // Made at the very moment at which the window opens, just before the waiting room's own timer.
    const opensInMs = HOUR + 500;
    const late = new Promise((resolve) => void clock.timer(opensInMs, () => resolve(call("late", 2))));
    const urgent = [call("urgent", 0), call("urgent", 0)];
    await clock.advance(0);
    expect(bench.squad.status().waiting[0]?.untilAt).toBe(clock.now() + opensInMs);
    await clock.settle(Promise.all([...urgent, late]));
    expect(github.requests.map(({ headers }) => headers.get("x-agent"))).toEqual(["urgent", "urgent", "late"]);
  });

  it("K15 a GraphQL query stays a read when a server books it to another resource", async () => {
    const { github, squad } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/user", { json: {} });
    github.route("/graphql", { json: {}, etag: "none", headers: { "x-ratelimit-resource": "core" } });
    const query = () => squad.fetch(`${api}/graphql`, { method: "POST", body: '{"query":"{ viewer { login } }"}' });
    await query();
    await squad.fetch(`${api}/user`);
    await query();
    expect((await squad.fetch(`${api}/user`)).headers.get("x-squad-rate")).toBe("fresh");
  });
});

describe("adapter", () => {
  it("K16 init.signal: null detaches a Request from its own signal, as with fetch", async () => {
    const { github, squad } = setUpBench();
    github.route("/user", { json: {} });
    const request = new Request(`${api}/user`, { signal: AbortSignal.abort() });
    expect((await squad.fetch(request, { signal: null })).status).toBe(200);
  });

  it("K17 a GraphQL query in a Request is a read as it is in init", async () => {
    const { github, squad } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/user", { json: {} });
    github.route("/graphql", { json: {}, etag: "none" });
    await squad.fetch(`${api}/user`);
    await squad.fetch(new Request(`${api}/graphql`, { method: "POST", body: '{"query":"{ viewer { login } }"}' }));
    expect((await squad.fetch(`${api}/user`)).headers.get("x-squad-rate")).toBe("fresh");
  });
});
