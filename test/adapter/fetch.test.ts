import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { createSquad } from "../../src/squad.js";
import { outcomeOf } from "../harness/cache-outcome.js";
import { setUpBench } from "../harness/octokit-in-squad.js";
import { recordEvents } from "../harness/record-events.js";

const user = "https://api.github.com/user";
const outcome = (response: Response): string | null => response.headers.get("x-squad-rate");

describe("squad.fetch", () => {
  it.each([
    ["a string", user],
    ["a URL", new URL(user)],
    ["a Request", new Request(user)],
    ["a string that a URL would write otherwise", "HTTPS://API.GitHub.com:443/user"],
    ["an address with a fragment", `${user}#top`],
  ])("takes %s", async (_what, input) => {
    const { squad, github } = setUpBench();
    github.route("/user", { json: { login: "octocat" } });
    await squad.fetch(user);
    const response = await squad.fetch(input);
    expect([outcome(response), await response.json()]).toEqual(["revalidated", { login: "octocat" }]);
  });

  it("uses the headers, method and body of a Request", async () => {
    const { squad, github } = setUpBench();
    github.route("/user", { json: {} });
    const request = new Request(user, {
      method: "PATCH",
      body: '{"name":"x"}',
      headers: { authorization: "token alice" },
    });
    await squad.fetch(request);
    expect(github.requests[0]).toMatchObject({ method: "PATCH", body: '{"name":"x"}' });
    expect(github.requests[0]?.headers.get("authorization")).toBe("token alice");
  });

  it("lets init win over the Request", async () => {
    const { squad, github } = setUpBench();
    github.route("/user", { json: {} });
    await squad.fetch(new Request(user, { headers: { "x-a": "1" } }), { method: "HEAD", headers: { "x-a": "2" } });
    expect(github.requests[0]?.method).toBe("HEAD");
    expect(github.requests[0]?.headers.get("x-a")).toBe("2");
  });

  it.each([
    ["text", "a=1", undefined],
    ["bytes", new TextEncoder().encode("a=1"), undefined],
    ["parameters", new URLSearchParams({ a: "1" }), undefined],
    ["a stream", "stream", "half"],
  ])("sends a body of %s", async (_what, given, duplex) => {
    const { squad, github } = setUpBench();
    github.route("/user", { json: {} });
    const body = given === "stream" ? new Blob(["a=1"]).stream() : given;
    const init = { method: "POST", body, ...(duplex === undefined ? {} : { duplex }) } as RequestInit;
    await squad.fetch(user, init);
    expect(github.requests[0]?.body).toBe("a=1");
  });

  it("does not change the init it is given", async () => {
    const { squad, github } = setUpBench();
    github.route("/user", { json: {} });
    const init = Object.freeze({ headers: Object.freeze({ authorization: "token alice" }), squad: Object.freeze({}) });
    await squad.fetch(user, init);
    expect(outcome(await squad.fetch(user, init))).toBe("revalidated");
    expect(init).toEqual({ headers: { authorization: "token alice" }, squad: {} });
  });

  it("keeps `squad` to itself, and books the call by it", async () => {
    const calls = recordEvents("squad-rate:call");
    const inits: object[] = [];
    const base = async (_input: unknown, init?: RequestInit): Promise<Response> => {
      inits.push(init ?? {});
      return new Response("{}");
    };
    const squad = createSquad({ clock: createVirtualClock(), fetch: base as typeof fetch });
    await squad.fetch(user, { squad: { agent: "reviewer", priority: "P0", session: "s-1", operation: "look" } });
    expect(inits[0]).not.toHaveProperty("squad");
    expect(calls).toMatchObject([{ agent: "reviewer", priority: 0, session: "s-1", operation: "look" }]);
  });

  it("refuses a misspelt option before anything is sent", async () => {
    const { squad, github } = setUpBench();
    const call = squad.fetch(user, { squad: { prioritty: 0 } as object });
    await expect(call).rejects.toMatchObject({
      code: "SQUAD_RATE_OPTIONS",
      message: expect.stringContaining("priority"),
    });
    expect(github.requests).toHaveLength(0);
  });

  it.each([
    { cache: "no-store" },
    { cache: "reload" },
    { cache: "no-cache" },
    { redirect: "manual" },
    { redirect: "error" },
  ] as const)("passes %o by the cache", async (mode) => {
    const { squad, github } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/user", { json: {} });
    await squad.fetch(user);
    expect(outcome(await squad.fetch(user, mode as RequestInit))).toBeNull();
  });

  it("passes a Request with such a mode by the cache as well", async () => {
    const { squad, github } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/user", { json: {} });
    await squad.fetch(user);
    expect(outcome(await squad.fetch(new Request(user, { redirect: "manual" })))).toBeNull();
  });

  it("gives a 304 only to a caller that asked for one", async () => {
    const { squad, github } = setUpBench();
    github.route("/user", { json: {} });
    const first = await squad.fetch(user);
    const headers = { "if-none-match": first.headers.get("etag") as string };
    expect((await squad.fetch(user, { headers })).status).toBe(304);
    expect((await squad.fetch(user)).status).toBe(200);
  });

  it("leaves an error's status to the caller, as fetch does", async () => {
    const { squad } = setUpBench();
    expect((await squad.fetch("https://api.github.com/nothing")).status).toBe(404);
  });

  it("aborts by the signal of a Request", async () => {
    const { squad, github, clock } = setUpBench();
    github.hold();
    const controller = new AbortController();
    const call = expect(squad.fetch(new Request(user, { signal: controller.signal }))).rejects.toThrow();
    await clock.advance(0);
    controller.abort();
    await call;
    expect(github.requests[0]?.signal?.aborted).toBe(true);
  });

  it("counts a GraphQL query as a read and everything it cannot read as a write", async () => {
    const { squad, github } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/graphql", { json: { data: {} }, etag: "none" });
    github.route("/user", { json: {} });
    const bodies = [
      ['{"query":"{ viewer { login } }"}', "fresh"],
      ['{"query":"query A { a } mutation B { b }","operationName":"A"}', "fresh"],
      ['{"query":"query A { a } mutation B { b }","operationName":"B"}', "revalidated"],
      ['{"query":"mutation { b }"}', "revalidated"],
      ["not JSON", "revalidated"],
      ['{"id":"persisted"}', "revalidated"],
      ["null", "revalidated"],
    ];
    for (const [body, expected] of bodies) {
      await squad.fetch(user);
      await squad.fetch("https://api.github.com/graphql", { method: "POST", body: body as string });
      expect(outcome(await squad.fetch(user))).toBe(expected);
    }
  });

  it("uses the global fetch as it is when the call is made", async () => {
    const squad = createSquad({ clock: createVirtualClock() });
    const original = globalThis.fetch;
    globalThis.fetch = async () => new Response('"mine"');
    try {
      expect(await (await squad.fetch(user)).json()).toBe("mine");
    } finally {
      globalThis.fetch = original;
    }
  });

  it("shares its cache with the Octokits of the squad", async () => {
    const { squad, github, octokit } = setUpBench();
    github.route("/user", { json: {} });
    await octokit("alice").request("GET /user");
    const headers = { authorization: "token alice", accept: "application/vnd.github.v3+json" };
    expect(outcome(await squad.fetch(user, { headers }))).toBe("revalidated");
    expect(outcomeOf(await octokit("alice").request("GET /user"))).toBe("revalidated");
  });
});

describe("a squad that is not enabled", () => {
  it("has the same shape and does nothing", async () => {
    const { squad, github, octokit } = setUpBench({ enabled: false });
    const enabled = setUpBench().squad;
    expect(Object.keys(squad).sort()).toEqual(Object.keys(enabled).sort());
    expect(Object.keys(squad.status()).sort()).toEqual(Object.keys(enabled.status()).sort());
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    for (let round = 0; round < 2; round++) {
      expect(outcomeOf(await alice.request("GET /user"))).toBeUndefined();
      expect(outcome(await squad.fetch(user))).toBeNull();
    }
    expect(github.statuses()).toEqual([200, 200, 200, 200]);
    await squad.cache.clear();
    await squad.close();
    expect((await alice.request("GET /user")).status).toBe(200);
    expect((await squad.fetch(user)).status).toBe(200);
    expect(squad.status()).toMatchObject({ enabled: false, counters: { calls: 0 } });
  });
});
