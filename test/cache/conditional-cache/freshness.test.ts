import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../harness/cache-outcome.js";
import { type Bench, setUpBench } from "../../harness/octokit-in-squad.js";

const REPO = "GET /repos/o/r/issues";

/** Bodies that count the times GitHub was asked for them; writes to the same paths succeed. */
function counting(bench: Bench, ...paths: readonly string[]): void {
  for (const path of paths) {
    let count = 0;
    bench.github.route(path, ({ method }) =>
      method === "GET" ? { json: { count: ++count } } : { status: 201, json: {} },
    );
  }
}

describe("freshForMs", () => {
  it("is 0 unless asked for: GitHub is always asked", async () => {
    const bench = setUpBench();
    counting(bench, "/repos/o/r/issues");
    const alice = bench.octokit("alice");
    await alice.request(REPO);
    expect((await alice.request(REPO)).data).toEqual({ count: 2 });
  });

  it("answers without asking until the age is reached, and says how old the answer is", async () => {
    const bench = setUpBench({ cache: { freshForMs: 10_000 } });
    const { octokit, github, clock } = bench;
    counting(bench, "/repos/o/r/issues");
    const alice = octokit("alice");
    const first = await alice.request(REPO);
    await clock.advance(9_999);
    const fresh = await alice.request(REPO);
    expect([outcomeOf(fresh), fresh.data, fresh.headers.age]).toEqual(["fresh", { count: 1 }, "9"]);
    expect([fresh.headers.etag, fresh.headers.date]).toEqual([first.headers.etag, first.headers.date]);
    expect(fresh.headers["x-ratelimit-remaining"]).toBeUndefined();
    await clock.advance(1);
    expect(outcomeOf(await alice.request(REPO))).toBe("changed");
    expect(github.requests).toHaveLength(2);
  });

  it("counts from the last 304", async () => {
    const { octokit, github, clock } = setUpBench({ cache: { freshForMs: 10_000 } });
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    const outcomes = [];
    for (let step = 0; step < 4; step++) {
      outcomes.push(outcomeOf(await alice.request("GET /user")));
      await clock.advance(step === 1 ? 5_000 : 6_000);
    }
    expect(outcomes).toEqual(["miss", "fresh", "revalidated", "fresh"]);
  });

  it("is not given to another credential without GitHub's word", async () => {
    const { octokit, github } = setUpBench({ cache: { freshForMs: 10_000 } });
    github.route("/user", { json: {} });
    await octokit("alice").request("GET /user");
    expect(outcomeOf(await octokit("bob").request("GET /user"))).toBe("revalidated");
    expect(outcomeOf(await octokit("bob").request("GET /user"))).toBe("fresh");
  });

  it("is not shown as an observation of the quota", async () => {
    const { octokit, github, clock, squad } = setUpBench({ cache: { freshForMs: 7_200_000 } });
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    await alice.request("GET /user");
    await clock.advance(3_700_000);
    await alice.request("GET /user");
    expect(squad.status().principals[0]?.windows.core?.remaining).toBe(5_000);
  });
});

describe("a call's own cache options", () => {
  it.each(["revalidate", "bypass"] as const)("%s asks GitHub although the answer is fresh", async (cache) => {
    const bench = setUpBench({ cache: { freshForMs: 10_000 } });
    counting(bench, "/user");
    const alice = bench.octokit("alice");
    await alice.request("GET /user");
    const second = await alice.request("GET /user", { request: { squad: { cache } } });
    expect([second.data, outcomeOf(second)]).toEqual([{ count: 2 }, cache === "bypass" ? undefined : "changed"]);
    expect(bench.github.requests[1]?.headers.has("if-none-match")).toBe(cache === "revalidate");
  });

  it("bypass does not write either", async () => {
    const bench = setUpBench();
    bench.github.route("/user", { json: {} });
    const alice = bench.octokit("alice");
    await alice.request("GET /user", { request: { squad: { cache: "bypass" } } });
    expect(outcomeOf(await alice.request("GET /user"))).toBe("miss");
  });

  it("an object sets other durations for one call", async () => {
    const bench = setUpBench();
    counting(bench, "/user");
    const alice = bench.octokit("alice");
    await alice.request("GET /user");
    const squad = { cache: { freshForMs: 1_000 } };
    expect(outcomeOf(await alice.request("GET /user", { request: { squad } }))).toBe("fresh");
    expect(outcomeOf(await alice.request("GET /user"))).toBe("changed");
  });

  it("cannot switch on a cache that is off", async () => {
    const bench = setUpBench({ cache: false });
    counting(bench, "/user");
    const alice = bench.octokit("alice");
    const squad = { cache: { freshForMs: 1_000 } };
    await alice.request("GET /user", { request: { squad } });
    const second = await alice.request("GET /user", { request: { squad } });
    expect([second.data, outcomeOf(second), bench.squad.status().cache]).toEqual([{ count: 2 }, undefined, undefined]);
  });
});

describe("a completed write", () => {
  const write = (bench: Bench, path: string) => bench.octokit("alice").request(`POST ${path}`);

  it.each([
    ["in the repository", "/repos/o/r/issues", "/repos/o/r/issues", true],
    ["in the repository, whatever its spelling", "/repos/O/R/labels", "/repos/o/r/issues", true],
    ["in another repository", "/repos/o/other/issues", "/repos/o/r/issues", false],
    ["in a repository, for a list outside", "/repos/o/r/issues", "/user/repos", true],
    ["outside repositories", "/user/repos", "/repos/o/r/issues", true],
    ["of GraphQL", "/graphql", "/repos/o/r/issues", true],
  ])("%s: POST %s ends the freshness of %s: %s", async (_what, path, read, ends) => {
    const bench = setUpBench({ cache: { freshForMs: 60_000 } });
    counting(bench, read, path);
    const alice = bench.octokit("alice");
    await alice.request(`GET ${read}`);
    await write(bench, path);
    const second = await alice.request(`GET ${read}`);
    expect(outcomeOf(second)).toBe(ends ? "changed" : "fresh");
    expect(bench.github.requests).toHaveLength(ends ? 3 : 2);
  });

  it("that failed ends freshness too, because it may have taken effect", async () => {
    for (const answer of [
      { status: 422, json: {} },
      { status: 502, json: {} },
      () => Promise.reject(new TypeError("reset")),
    ]) {
      const bench = setUpBench({ cache: { freshForMs: 60_000 } });
      counting(bench, "/repos/o/r/issues");
      const alice = bench.octokit("alice");
      await alice.request(REPO);
      bench.github.once(answer);
      await expect(alice.request("POST /repos/o/r/issues")).rejects.toThrow();
      expect(outcomeOf(await alice.request(REPO))).toBe("changed");
    }
  });

  it("that the squad did not send ends nothing", async () => {
    const bench = setUpBench({ cache: { freshForMs: 60_000 } });
    counting(bench, "/repos/o/r/issues");
    const alice = bench.octokit("alice");
    await alice.request(REPO);
    bench.github.once({ status: 404, json: {}, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-used": "5000" } });
    await expect(alice.request("GET /none")).rejects.toThrow();
    await expect(
      alice.request("POST /repos/o/r/issues", { request: { squad: { maxWaitMs: 0 } } }),
    ).rejects.toMatchObject({
      code: "SQUAD_RATE_LIGHT",
    });
    expect(outcomeOf(await alice.request(REPO))).toBe("fresh");
  });

  it("by another credential counts as well", async () => {
    const bench = setUpBench({ cache: { freshForMs: 60_000 } });
    counting(bench, "/repos/o/r/issues");
    const bob = bench.octokit("bob");
    await bob.request(REPO);
    await write(bench, "/repos/o/r/issues");
    expect(outcomeOf(await bob.request(REPO))).toBe("changed");
  });

  it("ends an answer that was on its way when the write ended", async () => {
    const bench = setUpBench({ cache: { freshForMs: 60_000 } });
    counting(bench, "/repos/o/r/issues");
    const alice = bench.octokit("alice");
    const release = bench.github.hold();
    const early = alice.request(REPO);
    await bench.clock.advance(0);
    release();
    const writing = write(bench, "/repos/o/r/issues");
    await early;
    await writing;
    expect(outcomeOf(await alice.request(REPO))).toBe("changed");
  });

  it("elsewhere ends a redirected read, which is of a repository under another name", async () => {
    const bench = setUpBench({ cache: { freshForMs: 60_000 } });
    bench.github.route("/repos/o/old", { json: {}, redirectedTo: "https://api.github.com/repositories/1" });
    const alice = bench.octokit("alice");
    await alice.request("GET /repos/o/old");
    expect(outcomeOf(await alice.request("GET /repos/o/old"))).toBe("fresh");
    counting(bench, "/repos/o/new/issues");
    await write(bench, "/repos/o/new/issues");
    expect(outcomeOf(await alice.request("GET /repos/o/old"))).toBe("revalidated");
  });
});

describe("maxStaleMs", () => {
  const stale = { cache: { maxStaleMs: 60_000 } };

  it.each([
    ["a 500", { status: 500, json: {} }],
    ["a 503", { status: 503, body: "<html>" }],
    ["a network failure", () => Promise.reject(new TypeError("fetch failed"))],
    ["a 429", { status: 429, json: { message: "slow down" } }],
    [
      "a primary refusal",
      { status: 403, json: { message: "API rate limit exceeded" }, headers: { "x-ratelimit-remaining": "0" } },
    ],
    [
      "a secondary refusal",
      { status: 403, json: { message: "secondary rate limit" }, headers: { "retry-after": "60" } },
    ],
  ])("lets the last answer stand in for %s", async (_what, failure) => {
    const { octokit, github, clock } = setUpBench(stale);
    github.route("/user", { json: { login: "octocat" } });
    const alice = octokit("alice");
    await alice.request("GET /user");
    await clock.advance(5_000);
    github.once(failure);
    const answer = await alice.request("GET /user");
    expect([outcomeOf(answer), answer.data, answer.headers.age]).toEqual(["stale", { login: "octocat" }, "5"]);
  });

  it("lets it stand in for a call that would have to wait", async () => {
    const { octokit, github, clock } = setUpBench(stale);
    github.route("/user", { json: { login: "octocat" } });
    const alice = octokit("alice");
    await alice.request("GET /user");
    github.quota("token alice").used = 4_999;
    await alice.request("GET /user/emails").catch(() => undefined);
    const sent = github.requests.length;
    expect(outcomeOf(await alice.request("GET /user"))).toBe("stale");
    expect([github.requests.length, clock.pendingTimers]).toEqual([sent, 0]);
  });

  it.each([
    ["404", 404],
    ["403 for lack of permission", 403],
    ["401", 401],
  ])("does not stand in for a %s", async (_what, status) => {
    const { octokit, github } = setUpBench(stale);
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    await alice.request("GET /user");
    github.once({ status, json: { message: "no" } });
    await expect(alice.request("GET /user")).rejects.toMatchObject({ status });
  });

  it("forgets what a 404 has contradicted", async () => {
    const { octokit, github } = setUpBench(stale);
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    await alice.request("GET /user");
    github.once({ status: 404, json: {} });
    await expect(alice.request("GET /user")).rejects.toMatchObject({ status: 404 });
    github.once({ status: 500, json: {} });
    await expect(alice.request("GET /user")).rejects.toMatchObject({ status: 500 });
  });

  it("is over when the age is reached, and is not the default", async () => {
    for (const [options, waitMs] of [
      [stale, 60_000],
      [{}, 0],
    ] as const) {
      const { octokit, github, clock } = setUpBench(options);
      github.route("/user", { json: {} });
      const alice = octokit("alice");
      await alice.request("GET /user");
      await clock.advance(waitMs);
      github.once({ status: 500, json: {} });
      await expect(alice.request("GET /user")).rejects.toMatchObject({ status: 500 });
    }
  });

  it("never gives an answer from before a completed write", async () => {
    const { octokit, github } = setUpBench(stale);
    github.route("/repos/o/r", { json: {} });
    const alice = octokit("alice");
    await alice.request("GET /repos/o/r");
    await alice.request("PATCH /repos/o/r").catch(() => undefined);
    github.once({ status: 500, json: {} });
    await expect(alice.request("GET /repos/o/r")).rejects.toMatchObject({ status: 500 });
  });

  it("does not stand in for a caller who aborted", async () => {
    const { octokit, github, clock } = setUpBench(stale);
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    await alice.request("GET /user");
    github.hold();
    const controller = new AbortController();
    const call = alice.request("GET /user", { request: { signal: controller.signal } });
    const ended = expect(call).rejects.toMatchObject({ name: "AbortError" });
    await clock.advance(0);
    controller.abort();
    await ended;
  });
});
