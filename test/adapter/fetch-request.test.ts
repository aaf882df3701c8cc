import { describe, expect, it, onTestFinished } from "vitest";
import { createSquad } from "../../src/index.js";
import { createSimulatedGitHub, createVirtualClock } from "../../src/sim/index.js";
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

  it.each([
    ["a write", "/repos/o/r/issues", "POST", "application/json; charset=utf-8", '{"title":"New"}'],
    ["a query", "/graphql", "POST", "text/plain", '{"query":"query Who { viewer { login } }"}'],
  ])(
    "%s in a Request is sent again after a limit's refusal, with all of its body",
    async (_, path, method, type, body) => {
      const clock = createVirtualClock();
      const github = createSimulatedGitHub({ clock });
      github.world.addToken("ghp_mona", "mona");
      github.world.addRepository({ owner: "o", name: "r", visibleTo: ["mona"] });
      const squad = createSquad({ clock, fetch: github.fetch, maxWaitMs: 7_200_000 });
      onTestFinished(() => clock.settle(squad.close()));
      github.fault({ kind: "secondary-limit" });
      const headers = { authorization: "Bearer ghp_mona", "content-type": type, "user-agent": "clerk" };

      const response = await clock.settle(squad.fetch(new Request(`${api}${path}`, { method, headers, body })));

      expect([response.ok, await response.json()]).toMatchObject([
        true,
        path === "/graphql" ? { data: { viewer: { login: "mona" } } } : { title: "New" },
      ]);
      expect(github.log.map(({ refusedBy }) => refusedBy)).toEqual(["secondary", undefined]);
    },
  );

  it("a Request whose body may be anything streams, and is sent once", async () => {
    const clock = createVirtualClock();
    const github = createSimulatedGitHub({ clock });
    github.world.addToken("ghp_mona", "mona");
    const squad = createSquad({ clock, fetch: github.fetch, maxWaitMs: 7_200_000 });
    onTestFinished(() => clock.settle(squad.close()));
    github.fault({ kind: "secondary-limit" });
    const headers = { authorization: "Bearer ghp_mona", "user-agent": "clerk" };
    const body = new Blob(["bytes"]).stream();
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;

    const response = await clock.settle(squad.fetch(new Request("https://uploads.github.com/x", init)));

    expect(response.status).toBe(403);
    expect(github.log).toHaveLength(1);
  });
});
