import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../harness/cache-outcome.js";
import { setUpBench } from "../../harness/octokit-in-squad.js";

const list = "https://api.github.com/repos/o/r/issues";
const items = (count: number): { id: number }[] => Array.from({ length: count }, (_, id) => ({ id }));
const nextOf = (query: string): { link: string } => ({
  link: `<${list}?${query}page=2>; rel="next", <${list}?${query}page=2>; rel="last"`,
});

describe("the Link of a kept page", () => {
  it("comes back with a 304 although it leads past the proxy that was asked", async () => {
    const { github, octokit } = setUpBench();
    const link = `<https://api.github.com/repos/o/r/actions/runs?page=2>; rel="next", <https://api.github.com/repos/o/r/actions/runs?page=2>; rel="last"`;
    github.route("/repos/o/r/actions/runs", { json: { total_count: 60, workflow_runs: [] }, headers: { link } });
    const alice = octokit("alice");
    const ask = () => alice.request("GET /repos/o/r/actions/runs", { baseUrl: "https://proxy.example" });
    await ask();
    const second = await ask();
    expect([outcomeOf(second), second.headers.link]).toEqual(["revalidated", link]);
  });

  it("comes back with a deprecation link beside the pages", async () => {
    const { github, octokit } = setUpBench();
    const link = `<https://api.github.com/orgs/o/x?page=2>; rel="next", <https://docs.github.com/x>; rel="deprecation"; type="text/html"`;
    github.route("/orgs/o/x", { json: { items: [] }, headers: { link } });
    const alice = octokit("alice");
    await alice.request("GET /orgs/o/x");
    expect((await alice.request("GET /orgs/o/x")).headers.link).toBe(link);
  });
});

describe("the last page of a list", () => {
  it.each([
    ["", 29, "revalidated"],
    ["", 30, "miss"],
    ["?per_page=5", 4, "revalidated"],
    ["?per_page=5", 5, "miss"],
    ["?per_page=100", 99, "revalidated"],
    ["?per_page=100", 100, "miss"],
    ["?per_page=500", 100, "miss"],
    ["?per_page=0", 29, "revalidated"],
    ["?per_page=0", 30, "miss"],
    ["", 0, "revalidated"],
  ])("%s with %i items and no next page: the second read is a %s", async (query, count, second) => {
    const { octokit, github } = setUpBench();
    github.route("/repos/o/r/issues", { json: items(count) });
    const alice = octokit("alice");
    await alice.request(`GET /repos/o/r/issues${query}`);
    expect(outcomeOf(await alice.request(`GET /repos/o/r/issues${query}`))).toBe(second);
  });

  it("grows a next page although its tag stays the same, and the caller sees it", async () => {
    const { octokit, github } = setUpBench();
    github.route("/repos/o/r/issues", { json: items(30) });
    const alice = octokit("alice");
    const first = await alice.request("GET /repos/o/r/issues");
    github.route("/repos/o/r/issues", { json: items(30), headers: nextOf("") });
    const second = await alice.request("GET /repos/o/r/issues");
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(second.headers.link).toContain('rel="next"');
  });

  it("with a next page is asked about with its tag, and its links come back with the 304", async () => {
    const { octokit, github } = setUpBench();
    github.route("/repos/o/r/issues", { json: items(30), headers: nextOf("") });
    const alice = octokit("alice");
    const first = await alice.request("GET /repos/o/r/issues");
    const second = await alice.request("GET /repos/o/r/issues");
    expect([outcomeOf(second), second.headers.link]).toEqual(["revalidated", first.headers.link]);
  });

  it("is fresh within freshForMs like any other", async () => {
    const { octokit, github } = setUpBench({ cache: { freshForMs: 1_000 } });
    github.route("/repos/o/r/issues", { json: items(30) });
    const alice = octokit("alice");
    await alice.request("GET /repos/o/r/issues");
    expect(outcomeOf(await alice.request("GET /repos/o/r/issues"))).toBe("fresh");
  });
});
