import { describe, expect, it } from "vitest";
import { plain } from "../../../bench/fleet/clients/plain.js";
import { SquadPoller } from "../../../bench/fleet/clients/squad-poller.js";
import { createSquadClient, type FleetScenario, type FleetWork } from "../../../src/sim/index.js";
import { compareWithFleet } from "./compare-with-fleet.js";

const MINUTE_MS = 60_000;

function fleet(count: number, work: FleetWork, more: Partial<FleetScenario> = {}): FleetScenario {
  const agents = [{ name: "ralph", count, priority: 1, work }] as const;
  return { seed: 1, warmUpMs: 5 * MINUTE_MS, forMs: 10 * MINUTE_MS, agents, ...more };
}

const watch = { kind: "watch" } as const;
const ways = {
  repository: { client: createSquadClient(), way: { polls: "repository" } },
  together: {
    client: (seat: ConstructorParameters<typeof SquadPoller>[0]) => new SquadPoller(seat),
    way: { polls: "together" },
  },
  plain: { client: plain, way: { client: "plain" } },
} as const;

/** Within a tenth. */
function expectNear(ratio: number | undefined): void {
  expect(ratio).toBeGreaterThan(0.9);
  expect(ratio).toBeLessThan(1.1);
}

describe("a plan, and the same fleet in a simulation", () => {
  it.each([
    ["repository", 5, 0],
    ["repository", 50, 0],
    ["repository", 60, 0],
    ["repository", 50, 0.1],
    ["together", 500, 0],
    ["plain", 9, 0],
  ] as const)(
    "agree when polled for by %s: %i agents, of which %d change per poll",
    async (name, count, sharePerPoll) => {
      const { client, way } = ways[name];
      const changes = { kind: "share", sharePerPoll } as const;
      // Changes come to a repository in runs of one kind; all three have to have had their turn.
      const times = sharePerPoll === 0 ? {} : { warmUpMs: 10 * MINUTE_MS, forMs: 30 * MINUTE_MS };
      const scenario = fleet(count, watch, { changes, ...times });
      const { requests, answerTime, units, peaks, cycle, planned, report } = await compareWithFleet(
        scenario,
        client,
        way,
      );

      expect(planned.carries).toBeGreaterThanOrEqual(count);
      expectNear(requests);
      expectNear(answerTime);
      if (sharePerPoll > 0 || name === "plain") expectNear(units("core"));
      if (sharePerPoll > 0 || name !== "repository") expectNear(units("graphql"));
      if (count >= 50) for (const ratio of Object.values(peaks)) expect(ratio).toBeGreaterThan(0.85);
      expect(report.limits[0]?.limit).toBe(planned.binding.limit);
      expect(cycle).toBeLessThanOrEqual(1.05);
    },
  );

  it.each([
    ["repository", watch],
    ["together", watch],
  ] as const)("agree how much slower it goes with 30 %% more than are carried: %s", async (name, work) => {
    const { client, way } = ways[name];
    const { carries } = (await import("../../../src/sim/index.js")).plan({ ...fleet(1, work), ...way });
    const { cycle, planned } = await compareWithFleet(fleet(Math.ceil(1.3 * carries), work), client, way);

    expect(cycle).toBeGreaterThan(1.05);
    expectNear(planned.cycle / cycle);
  });
});
