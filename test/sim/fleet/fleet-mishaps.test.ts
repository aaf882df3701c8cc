import { describe, expect, it } from "vitest";
import { runFleet } from "../../../src/sim/fleet/run-fleet.js";
import type { FleetMishap, FleetScenario } from "../../../src/sim/fleet/scenario.js";
import { createSquadClient } from "../../../src/sim/fleet/squad-client.js";
import { PlainClient, plainClients } from "./plain-client.js";

const MINUTE_MS = 60_000;

function callers(more: Partial<FleetScenario>): FleetScenario {
  return {
    seed: 5,
    warmUpMs: 0,
    forMs: 10 * MINUTE_MS,
    processes: 2,
    agents: [{ name: "caller", count: 2, priority: 1, work: { kind: "calls", perHour: 1_200 } }],
    ...more,
  };
}

/** When each process sent, in minutes since the start. */
async function minutesSent(scenario: FleetScenario): Promise<readonly (readonly number[])[]> {
  const sent: number[][] = [];
  await runFleet(scenario, (seat) => {
    const minutes: number[] = [];
    sent.push(minutes);
    const began = seat.clock.monotonic();
    return new PlainClient({
      ...seat,
      fetch: (input, init) => {
        minutes.push(Math.floor((seat.clock.monotonic() - began) / MINUTE_MS));
        return seat.fetch(input, init);
      },
    });
  });
  return sent;
}

describe("a process", () => {
  it("that is killed sends nothing more, and the others go on", async () => {
    const kill: FleetMishap = { kind: "kill", process: 0, atMs: 4 * MINUTE_MS };
    const [killed, other] = await minutesSent(callers({ mishaps: [kill] }));
    expect(Math.max(...(killed ?? []))).toBe(3);
    expect(Math.max(...(other ?? []))).toBe(9);
  });

  it("that is killed takes its calls with it, and no answer reaches it", async () => {
    let answers = 0;
    const { calls } = await runFleet(
      callers({
        processes: 1,
        github: { latency: { restMedianMs: 5_000, sigma: 0 }, secondary: false },
        mishaps: [{ kind: "kill", process: 0, atMs: 4 * MINUTE_MS }],
      }),
      (seat) =>
        new PlainClient({
          ...seat,
          fetch: async (input, init) => {
            const response = await seat.fetch(input, init);
            answers += 1;
            return response;
          },
        }),
    );
    expect(calls.all.answered).toBe(answers);
    expect(calls.all.open).toBeGreaterThan(0);
    expect(calls.all.answered + calls.all.open).toBe(calls.all.made);
  });

  it("that stands still does nothing meanwhile, and goes on afterwards", async () => {
    const stop: FleetMishap = { kind: "stop", process: 0, atMs: 3 * MINUTE_MS, forMs: 3 * MINUTE_MS };
    const [stopped] = await minutesSent(callers({ mishaps: [stop] }));
    expect([...new Set(stopped)]).toEqual([0, 1, 2, 6, 7, 8, 9]);
  });

  it("whose machine sleeps does not count the time", async () => {
    const sleep: FleetMishap = { kind: "suspend", process: 0, atMs: 3 * MINUTE_MS, forMs: 3 * MINUTE_MS };
    const [slept] = await minutesSent(callers({ mishaps: [sleep] }));
    expect([...new Set(slept)]).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it("has a clock of its own", async () => {
    const clocks: number[] = [];
    await runFleet(callers({ forMs: MINUTE_MS, processes: 2, clockSkewMs: 30_000 }), (seat) => {
      clocks.push(seat.clock.now());
      return new PlainClient(seat);
    });
    expect(new Set(clocks).size).toBe(2);
    expect(Math.abs((clocks[0] ?? 0) - (clocks[1] ?? 0))).toBeLessThanOrEqual(60_000);
  });
});

describe("the credential", () => {
  it("changes its token, and remains one identity with one quota", async () => {
    const { create, made } = plainClients();
    const tokens = new Set<string>();
    const report = await runFleet(callers({ tokenRotationMs: 2 * MINUTE_MS }), (seat) =>
      create({
        ...seat,
        token: () => {
          tokens.add(seat.token());
          return seat.token();
        },
      }),
    );
    expect(tokens.size).toBe(5);
    expect(made.length).toBe(2);
    expect(report.calls.all.failed).toBe(0);
    expect(report.windows.length).toBe(1);
    expect(report.windows[0]?.charged).toBe(report.allExchanges);
  });

  it("is changed under squads without a failure", async () => {
    const report = await runFleet(callers({ tokenRotationMs: 2 * MINUTE_MS }), createSquadClient());
    expect(report.calls.all).toMatchObject({ failed: 0, open: 0 });
    expect(report.calls.all.answered).toBeGreaterThan(300);
  });
});

describe("the store", () => {
  it("is used by squads, and its absence fails no call", async () => {
    const away: FleetMishap = { kind: "store-away", atMs: 3 * MINUTE_MS, forMs: 2 * MINUTE_MS };
    const { calls, store } = await runFleet(callers({ mishaps: [away], storeLatencyMs: 5 }), createSquadClient());
    expect(calls.all).toMatchObject({ failed: 0, open: 0 });
    expect(store.operations).toBeGreaterThan(10);
  });
});
