import { describe, expect, it } from "vitest";
import { createSimulatedGitHub } from "../../src/sim/index.js";
import { createVirtualClock } from "../../src/sim/virtual-clock.js";
import { createSquad } from "../../src/squad.js";

const API = "https://api.github.com";

describe("a write to a repository by its former name", () => {
  it("ends what was fresh under the new one", async () => {
    const clock = createVirtualClock();
    const github = createSimulatedGitHub({ clock });
    github.world.addToken("ghp_mona", "mona");
    github.world.addRepository({ owner: "mona", name: "old" });
    github.world.renameRepository("mona", "old", "new");
    const squad = createSquad({ agent: "writer", clock, fetch: github.fetch, cache: { freshForMs: 60_000 } });
    const headers = { authorization: "Bearer ghp_mona" };
    const titles = async (): Promise<string[]> => {
      const response = await squad.fetch(`${API}/repos/mona/new/issues`, { headers });
      return ((await response.json()) as { title: string }[]).map(({ title }) => title);
    };
    expect(await titles()).toEqual([]);
    const written = await squad.fetch(`${API}/repos/mona/old/issues`, {
      method: "POST",
      headers,
      body: JSON.stringify({ title: "Moved with the house" }),
    });
    expect(written.status).toBe(201);
    expect(await titles()).toEqual(["Moved with the house"]);
  });
});
