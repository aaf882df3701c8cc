import { describe, expect, it } from "vitest";
import { setUpBench } from "../../harness/octokit-in-squad.js";

const api = "https://api.github.com";

describe("what is no write", () => {
  it("minting a token is no write that ends freshness", async () => {
    const { github, squad } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/user", { json: {} });
    github.route("/app/installations/1/access_tokens", { status: 201, json: {}, unlimited: true });
    await squad.fetch(`${api}/user`);
    await squad.fetch(`${api}/app/installations/1/access_tokens`, { method: "POST" });
    expect((await squad.fetch(`${api}/user`)).headers.get("x-squad-rate")).toBe("fresh");
  });

  it("a GraphQL query stays a read when a server books it to another resource", async () => {
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
