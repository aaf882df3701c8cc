import { describe, expect, it } from "vitest";
import { setUpBench } from "../harness/octokit-in-squad.js";

describe("options of one call in the wrong place", () => {
  it("are refused among the parameters of a route, and nothing is sent", async () => {
    const { octokit, github } = setUpBench();
    await expect(octokit("alice").request("GET /user", { squad: { priority: 0 } })).rejects.toMatchObject({
      code: "SQUAD_RATE_OPTIONS",
      remedy: "Write { request: { squad: { … } } }.",
    });
    expect(github.requests).toEqual([]);
  });

  it("are named as they were written", async () => {
    const { squad, octokit } = setUpBench();
    const cached = { freshForMs: 3 } as object;
    await expect(squad.fetch("https://api.github.com/user", { squad: cached })).rejects.toThrow(
      "squad.freshForMs: unknown option; did you mean `cache.freshForMs`?",
    );
    await expect(octokit("alice").request("GET /user", { request: { squad: cached } })).rejects.toThrow(
      "request.squad.freshForMs: unknown option; did you mean `cache.freshForMs`?",
    );
  });
});
