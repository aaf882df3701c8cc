import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../harness/cache-outcome.js";
import { setUpBench } from "../../harness/octokit-in-squad.js";

describe("a list that is longer than a page", () => {
  it("a long array of an endpoint without pages is asked about with its tag", async () => {
    const { github, octokit } = setUpBench();
    github.route("/repos/o/r/contents/src", { json: Array.from({ length: 40 }, (_, id) => ({ id })) });
    const alice = octokit("alice");
    const parameters = { owner: "o", repo: "r", path: "src" };
    await alice.request("GET /repos/{owner}/{repo}/contents/{path}", parameters);
    expect(outcomeOf(await alice.request("GET /repos/{owner}/{repo}/contents/{path}", parameters))).toBe("revalidated");
  });
});
