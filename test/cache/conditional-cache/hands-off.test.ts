import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../harness/cache-outcome.js";
import { setUpBench } from "../../harness/octokit-in-squad.js";

describe("the cache keeps its hands off", () => {
  it.each([
    ["if-none-match", '"mine"'],
    ["if-modified-since", "Mon, 01 Jan 2029 00:00:00 GMT"],
    ["if-match", '"mine"'],
    ["if-unmodified-since", "Mon, 01 Jan 2029 00:00:00 GMT"],
    ["if-range", '"mine"'],
    ["range", "bytes=0-1"],
    ["cache-control", "no-store"],
    ["cache-control", "no-cache"],
  ])("a request with %s: %s", async (name, value) => {
    const { octokit, github } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    await alice.request("GET /user");
    const answer = await alice.request("GET /user", { headers: { [name]: value } });
    expect([outcomeOf(answer), github.requests[1]?.headers.get(name)]).toEqual([undefined, value]);
  });

  it("the caller's own validator: the 304 is the caller's", async () => {
    const { octokit, github } = setUpBench();
    github.route("/user", { json: {} });
    const alice = octokit("alice");
    const { headers } = await alice.request("GET /user");
    const asked = alice.request("GET /user", { headers: { "if-none-match": headers.etag } });
    await expect(asked).rejects.toMatchObject({ status: 304 });
  });

  it.each(["/rate_limit", "/login/oauth/x", "/applications/1/x"])("%s", async (path) => {
    const { octokit, github } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route(path, { json: {} });
    const alice = octokit("alice");
    await alice.request(`GET ${path}`);
    expect(outcomeOf(await alice.request(`GET ${path}`))).toBeUndefined();
    expect(github.statuses()).toEqual([200, 200]);
  });

  it.each([
    ["Vary: *", { vary: "*" }],
    ["a Vary that the key does not cover", { vary: "Accept, Origin-Agent" }],
    ["no-store", { "cache-control": "no-store" }],
  ])("an answer with %s", async (_what, headers) => {
    const { octokit, github } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/user", { json: {}, headers });
    const alice = octokit("alice");
    await alice.request("GET /user");
    expect(outcomeOf(await alice.request("GET /user"))).toBeUndefined();
    expect(github.requests[1]?.headers.has("if-none-match")).toBe(false);
  });

  it("an answer without a tag", async () => {
    const { octokit, github } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/search/issues", { json: {}, etag: "none" });
    const alice = octokit("alice");
    await alice.request("GET /search/issues?q=a");
    await alice.request("GET /search/issues?q=a");
    expect(github.statuses()).toEqual([200, 200]);
  });

  it("different Accept headers and API versions from each other", async () => {
    const { octokit, github } = setUpBench({ cache: { freshForMs: 60_000 } });
    github.route("/user", ({ headers }) => ({ json: [headers.get("accept"), headers.get("x-github-api-version")] }));
    const alice = octokit("alice");
    const asks = [{}, { accept: "application/vnd.github.raw+json" }, { "x-github-api-version": "2022-11-28" }];
    for (const headers of [...asks, ...asks]) {
      const { data } = await alice.request("GET /user", { headers });
      if (headers.accept !== undefined) expect((data as unknown as unknown[])[0]).toBe(headers.accept);
    }
    expect(github.requests).toHaveLength(3);
  });
});
