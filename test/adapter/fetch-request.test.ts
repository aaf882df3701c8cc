import { describe, expect, it } from "vitest";
import { setUpBench } from "../harness/octokit-in-squad.js";

const api = "https://api.github.com";

describe("a Request given to squad.fetch", () => {
  it("init.signal: null detaches a Request from its own signal, as with fetch", async () => {
    const { github, squad } = setUpBench();
    github.route("/user", { json: {} });
    const request = new Request(`${api}/user`, { signal: AbortSignal.abort() });
    expect((await squad.fetch(request, { signal: null })).status).toBe(200);
  });

  it("a GraphQL query in a Request is a read as it is in init", async () => {
    const { github, squad } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/user", { json: {} });
    github.route("/graphql", { json: {}, etag: "none" });
    await squad.fetch(`${api}/user`);
    await squad.fetch(new Request(`${api}/graphql`, { method: "POST", body: '{"query":"{ viewer { login } }"}' }));
    expect((await squad.fetch(`${api}/user`)).headers.get("x-squad-rate")).toBe("fresh");
  });
});
