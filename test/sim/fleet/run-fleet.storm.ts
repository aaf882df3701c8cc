import { describe, expect, it } from "vitest";
import { runFleet } from "../../../src/sim/fleet/run-fleet.js";
import { oversubscribedFleet, watchFleet } from "../../../src/sim/fleet/scenarios.js";
import { createSquadClient } from "../../../src/sim/fleet/squad-client.js";

describe("squads that want 160 % of a quota, two of their processes killed and clocks half a minute off", () => {
  it("use it up, are refused nothing, and let the urgent go first", async () => {
    const shape = { agents: 60, processes: 6, demand: 1.6, kills: 2, clockSkewMs: 30_000, windows: 2, limit: 1_000 };
    const { windows, exchanges, inversions, calls } = await runFleet(oversubscribedFleet(shape), createSquadClient());
    const whole = windows.filter(({ resource }) => resource === "core").slice(0, 2);
    for (const { used, limit, refused } of whole) {
      expect(used / limit).toBeGreaterThan(0.97);
      expect(refused).toBe(0);
    }
    expect(exchanges.refused).toMatchObject({ primary: 0, secondary: 0 });
    expect(inversions.byWait.map(({ count }) => count)).toEqual([0, 0, 0]);
    expect(inversions.pool.grants).toBeGreaterThan(100);
    expect(inversions.pool.inversions).toBe(0);
    expect(calls.byPriority[0].failed).toBe(0);
  });
});

describe("fifty sessions on one token", () => {
  it("are polled for every half minute, and cost little while little changes", async () => {
    const scenario = watchFleet({ sessions: 50, changes: "measured", warmUpMs: 300_000, forMs: 1_200_000 });
    const { polls, exchanges, limits } = await runFleet(scenario, createSquadClient());
    expect(polls).toMatchObject({ failed: 0, unmet: {} });
    expect(polls.cycle.p99Ms).toBeLessThanOrEqual(1.05 * polls.targetMs);
    expect(exchanges.unitsPerHour.graphql).toBeLessThan(60);
    expect(exchanges.refused).toMatchObject({ primary: 0, secondary: 0 });
    expect(limits[0]?.limit).toBe("response-time");
  });
});
