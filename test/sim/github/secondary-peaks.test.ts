import { describe, expect, it } from "vitest";
import type { SimulatedExchange } from "../../../src/sim/github/exchange-log.js";
import { createSimulatedGitHub } from "../../../src/sim/github/simulated-github.js";
import { createVirtualClock } from "../../../src/sim/virtual-clock.js";

const TOKEN = "ghp_one";
const ENDPOINT = "GET /repos/{owner}/{repo}";

function github(more: Parameters<typeof createSimulatedGitHub>[0] = {}) {
  const clock = createVirtualClock();
  const simulated = createSimulatedGitHub({ clock, latency: { sigma: 0 }, ...more });
  simulated.world.addToken(TOKEN, "mona");
  simulated.world.addRepository({ owner: "mona", name: "hello" });
  const read = () =>
    simulated.fetch("https://api.github.com/repos/mona/hello", { headers: { authorization: `token ${TOKEN}` } });
  return { clock, simulated, read };
}

describe("the fullest moments of secondary limits", () => {
  it("are told by limit, and begin anew when asked to", async () => {
    const { clock, simulated, read } = github();
    await clock.settle(Promise.all([read(), read(), read()]));
    await clock.settle(read());
    expect(simulated.secondaryPeaks(TOKEN, { restart: true })).toEqual([
      { limit: "concurrency", endpoint: undefined, used: 3, allowed: 100 },
      { limit: "endpoint-points", endpoint: ENDPOINT, used: 4, allowed: 900 },
      // Of those that had been answered when the last one came.
      { limit: "response-time", endpoint: undefined, used: 600, allowed: 90_000 },
    ]);
    await clock.advance(120_000);
    await clock.settle(read());
    expect(simulated.secondaryPeaks(TOKEN)).toEqual([
      { limit: "concurrency", endpoint: undefined, used: 1, allowed: 100 },
      { limit: "endpoint-points", endpoint: ENDPOINT, used: 1, allowed: 900 },
    ]);
  });

  it("are past the limit when it was broken", async () => {
    const { clock, simulated, read } = github({ secondary: { concurrency: 2 } });
    await clock.settle(Promise.all([read(), read(), read()]));
    const peak = simulated.secondaryPeaks(TOKEN).find(({ limit }) => limit === "concurrency");
    expect(peak).toMatchObject({ used: 3, allowed: 2 });
    expect(simulated.log.map(({ secondaryReason }) => secondaryReason)).toEqual([undefined, undefined, "concurrency"]);
  });

  it("are not there where the limits are off", async () => {
    const { clock, simulated, read } = github({ secondary: false });
    await clock.settle(read());
    expect(simulated.secondaryPeaks(TOKEN)).toEqual([]);
  });
});

describe("a listener", () => {
  it("is told of each exchange when its answer leaves, with the request's headers", async () => {
    const told: [SimulatedExchange, string | null | undefined][] = [];
    const { clock, simulated, read } = github({
      onExchange: (exchange, { headers }) => told.push([exchange, headers.get("authorization")]),
    });
    await clock.settle(read());
    expect(told).toEqual([[simulated.log[0], `token ${TOKEN}`]]);
    const usage = simulated.usage(TOKEN);
    expect(told[0]?.[0]).toMatchObject({ chargedUnits: 1, workMs: 200, resetAt: usage.resetAt });
  });

  it("needs no log", async () => {
    const told: number[] = [];
    const { clock, simulated, read } = github({ logLimit: 0, onExchange: ({ id }) => told.push(id) });
    await clock.settle(Promise.all([read(), read()]));
    expect(told).toEqual([1, 2]);
    expect(simulated.log).toEqual([]);
  });
});
