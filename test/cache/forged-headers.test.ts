import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../harness/memory-store.js";
import { SquadOctokit, setUpBench } from "../harness/octokit-in-squad.js";

describe("headers that callers act on", () => {
  it("a forged poll interval or deprecation out of the store reaches nobody", async () => {
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
      squad: { clock, store, pool: false },
      request: { fetch: github.fetch },
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    const answer = await next.request("GET /repos/o/r/events");
    expect(answer.headers["x-poll-interval"]).toBeUndefined();
    expect(answer.headers).not.toHaveProperty("sunset");
  });
});
