import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { createSquad } from "../../src/squad.js";
import { collectGarbageUntil } from "../harness/collect-garbage.js";

const api = "https://api.github.com";

describe("a caller's signal", () => {
  it("a signal that outlives many calls does not collect listeners", async () => {
    const squad = createSquad({ fetch: async () => new Response("{}", { status: 404 }) });
    const { signal } = new AbortController();
    for (let round = 0; round < 20; round++) await (await squad.fetch(`${api}/nothing`, { signal })).text();
    const listeners = () => getEventListeners(signal, "abort").length;
    await collectGarbageUntil(() => listeners() < 5);
    expect(listeners()).toBeLessThan(5);
  });
});
