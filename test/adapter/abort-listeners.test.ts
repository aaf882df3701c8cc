import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { createSquad } from "../../src/squad.js";

const api = "https://api.github.com";

/** Runs the collector, and what it finalizes, until it has had its effect; when that is, is the engine's choice. */
async function collectGarbageUntil(isDone: () => boolean): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let round = 0; round < 100 && !isDone(); round++) {
    collect();
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

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
