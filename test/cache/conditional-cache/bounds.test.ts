import { describe, expect, it } from "vitest";
import { setUpBench } from "../../harness/octokit-in-squad.js";

describe("maxBytes", () => {
  it("counts bodies that grew under one key", async () => {
    const { squad, github, octokit } = setUpBench({ cache: { maxBytes: 11_000, maxEntryBytes: 8_000 } });
    const alice = octokit("alice");
    for (let index = 0; index < 5; index++) {
      github.route(`/users/${index}`, { json: "small" });
      await alice.request(`GET /users/${index}`);
    }
    for (let index = 0; index < 5; index++) {
      github.route(`/users/${index}`, { json: "x".repeat(7_000) });
      await alice.request(`GET /users/${index}`);
    }
    expect(squad.status().cache?.entries).toBe(1);
    expect(squad.status().cache?.bytes).toBeGreaterThan(7_000);
  });
});
