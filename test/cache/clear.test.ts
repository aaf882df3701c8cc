import { describe, expect, it } from "vitest";
import { createSquad } from "../../src/squad.js";
import { createMemoryStore } from "../harness/memory-store.js";
import { setUpBench } from "../harness/octokit-in-squad.js";

describe("cache.clear()", () => {
  it("says that the store failed without saying its password, and has emptied the memory", async () => {
    const store = createMemoryStore();
    const { squad, github, octokit } = setUpBench({ store });
    github.route("/user", { json: {} });
    await octokit("alice").request("GET /user");
    const failing = { ...store, delete: () => Promise.reject(new Error("connect redis://u:hunter2@h failed")) };
    const other = createSquad({ store: failing, fetch: github.fetch });
    await other.fetch("https://api.github.com/user");
    await expect(other.cache.clear()).rejects.toMatchObject({
      code: "SQUAD_RATE_STORE",
      message: expect.not.stringContaining("hunter2"),
      cause: { message: expect.not.stringContaining("hunter2") },
    });
    expect(other.status().cache?.entries).toBe(0);
    await squad.cache.clear();
    expect(squad.status().cache?.entries).toBe(0);
  });
});
