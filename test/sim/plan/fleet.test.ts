import { describe, expect, it } from "vitest";
import { plain } from "../../../bench/fleet/clients/plain.js";
import { createSquadClient, type FleetScenario, type FleetWork } from "../../../src/sim/index.js";
import { compareWithFleet } from "./compare-with-fleet.js";

const MINUTE_MS = 60_000;

function fleet(count: number, work: FleetWork, more: Partial<FleetScenario> = {}): FleetScenario {
  const agents = [{ name: "ralph", count, priority: 1, work }] as const;
  return { seed: 1, warmUpMs: MINUTE_MS, forMs: 3 * MINUTE_MS, agents, ...more };
}

/** Within so many hundredths. */
function expectNear(ratio: number, percent: number): void {
  expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(percent / 100);
}

describe("a plan, and the same fleet in a simulation", () => {
  it("agree about a quiet fleet that watches", async () => {
    // A fleet as short as this refreshes no status.
    const { requests, answerTime, peaks, planned, report } = await compareWithFleet(
      // Answers to first polls count for another minute.
      fleet(10, { kind: "watch" }, { warmUpMs: 2.5 * MINUTE_MS }),
      createSquadClient(),
    );

    expectNear(requests, 1);
    expectNear(answerTime, 5);
    expectNear(peaks["response-time"] ?? 0, 10);
    expect(report.limits[0]?.limit).toBe(planned.binding.limit);
    // The first polls, which is all that there is to pay.
    expect(report.exchanges.warmUpUnits).toEqual({ core: planned.cost.startUnits.core, graphql: 10 });
  });

  it("agree about what changes cost", async () => {
    const changes = { kind: "share", sharePerPoll: 0.2 } as const;
    const { requests, units, answerTime } = await compareWithFleet(
      fleet(5, { kind: "watch", ownCallsPerChange: 2 }, { changes, forMs: 6 * MINUTE_MS }),
      createSquadClient(),
    );

    expectNear(requests, 2);
    expectNear(answerTime, 5);
    expectNear(units("core"), 10);
    expectNear(units("graphql"), 10);
  });

  it("agree about calls", async () => {
    const calls = { kind: "calls", perHour: 1_200, unchanged: 0.4, writes: 0.02, graphql: 0.2 } as const;
    const { requests, units } = await compareWithFleet(fleet(10, calls), createSquadClient());

    expectNear(requests, 10);
    expectNear(units("core"), 10);
  });

  it("agree about plain clients, which pay for everything", async () => {
    const { requests, answerTime, units, planned, report } = await compareWithFleet(
      fleet(5, { kind: "watch" }),
      (seat) => plain(seat),
      { client: "plain" },
    );

    expectNear(requests, 1);
    expectNear(answerTime, 5);
    expectNear(units("core"), 1);
    expectNear(units("graphql"), 1);
    expect(report.limits[0]?.limit).toBe(planned.binding.limit);
  });
});
