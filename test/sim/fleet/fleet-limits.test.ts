import { expect, it } from "vitest";
import { runFleet } from "../../../src/sim/fleet/run-fleet.js";
import type { FleetScenario } from "../../../src/sim/fleet/scenario.js";
import { reactiveFleet, watchFleet } from "../../../src/sim/fleet/scenarios.js";
import { PlainClient } from "./plain-client.js";

const MINUTE_MS = 60_000;

const CALLERS: FleetScenario = {
  seed: 1,
  warmUpMs: 0,
  forMs: 6 * MINUTE_MS,
  agents: [{ name: "caller", count: 10, priority: 2, work: { kind: "calls", perHour: 120 } }],
  github: { latency: { sigma: 0, restMedianMs: 1_000 } },
};

it("names the limit that is fullest, and by how much", async () => {
  const { limits, exchanges } = await runFleet(CALLERS, (seat) => new PlainClient(seat));
  const time = limits.find(({ limit }) => limit === "response-time");
  expect(limits[0]).toBe(time);
  // Every answer takes a second, and there are about twenty a minute.
  expect(time?.used).toBeGreaterThan(20_000);
  expect(time?.used).toBeLessThanOrEqual(1_000 * (exchanges.busiestMinute + 10));
  expect(time?.share).toBe((time?.used ?? 0) / 90_000);
  const units = limits.find(({ limit }) => limit === "core-units");
  expect(units).toMatchObject({ used: exchanges.count * 10, allowed: 5_000 });
  expect([...limits].sort((one, other) => other.share - one.share)).toEqual(limits);
});

it("shows a limit that was broken as more than full", async () => {
  const tight = { ...CALLERS, github: { ...CALLERS.github, secondary: { cpuMsPerMinute: 10_000 } } };
  const { limits, exchanges, calls } = await runFleet(tight, (seat) => new PlainClient(seat));
  expect(limits[0]).toMatchObject({ limit: "response-time", allowed: 10_000 });
  expect(limits[0]?.share).toBeGreaterThan(1);
  expect(exchanges.refused.secondary).toBeGreaterThan(0);
  expect(exchanges.refused.secondaryReasons).toEqual({ cpu: exchanges.refused.secondary });
  expect(exchanges.refused.sentWhileBlocked).toBeGreaterThan(0);
  expect(calls.all.failures["403"]).toBe(calls.all.failed);
});

it("reckons with hidden use", async () => {
  const hidden = { ...CALLERS, hidden: [{ resource: "core", unitsPerHour: 2_000 }] } as const;
  const { limits, windows } = await runFleet(hidden, (seat) => new PlainClient(seat));
  const units = limits.find(({ limit }) => limit === "core-units");
  expect(units?.used).toBeGreaterThan(3_000);
  expect(windows[0]?.hidden).toBeGreaterThan(150);
  expect(windows[0]?.hidden).toBeLessThan(250);
});

it("refuses everybody when the quota is used up, and counts it", async () => {
  const small = { ...CALLERS, github: { limits: { core: { limit: 50 } } } };
  const { windows, exchanges } = await runFleet(small, (seat) => new PlainClient(seat));
  expect(exchanges.refused.primary).toBe(exchanges.count - 50);
  expect(windows[0]).toMatchObject({ limit: 50, refused: exchanges.refused.primary });
});

it("lets as many changes be seen as the scenario says", async () => {
  const shape = { sessions: 12, perRepository: 4, warmUpMs: MINUTE_MS, forMs: 10 * MINUTE_MS };
  const quiet = await runFleet(watchFleet(shape), (seat) => new PlainClient(seat));
  const reactive = await runFleet(reactiveFleet({ ...shape, sharePerPoll: 0.25 }), (seat) => new PlainClient(seat));
  expect(quiet.calls.all.made).toBe(0);
  // Three sessions in each of twenty polls, which look three times each.
  expect(reactive.calls.all.made).toBeGreaterThanOrEqual(9 * 19);
  expect(reactive.calls.all.made).toBeLessThanOrEqual(9 * 21);
  expect(reactive.polls.unmet).toEqual({});
  expect(reactive.calls.stale).toBe(0);
});
