import { beforeAll, describe, expect, it } from "vitest";
import type { FleetAgent } from "../../../src/sim/fleet/client.js";
import type { PollNeeds } from "../../../src/sim/fleet/needs.js";
import type { FleetReport } from "../../../src/sim/fleet/report.js";
import { runFleet } from "../../../src/sim/fleet/run-fleet.js";
import type { FleetScenario } from "../../../src/sim/fleet/scenario.js";
import { createSquadClient } from "../../../src/sim/fleet/squad-client.js";
import { createFleetTime, type FleetTime } from "../../../src/sim/fleet/time.js";
import { createVirtualClock } from "../../../src/sim/virtual-clock.js";
import { PlainClient } from "./plain-client.js";

const MINUTE_MS = 60_000;

/** A little of everything: watchers who react, callers of all kinds, two processes, slow stores and clocks that are off. */
const LIVELY: FleetScenario = {
  seed: 3,
  warmUpMs: MINUTE_MS / 2,
  forMs: 1.5 * MINUTE_MS,
  processes: 2,
  agents: [
    { name: "watcher", count: 6, priority: 1, work: { kind: "watch", perRepository: 3, ownCallsPerChange: 4 } },
    {
      name: "caller",
      count: 4,
      priority: 2,
      work: { kind: "calls", perHour: 360, unchanged: 0.3, writes: 0.1, graphql: 0.2 },
    },
  ],
  hidden: [{ resource: "core", unitsPerHour: 300 }],
  changes: { kind: "rate", perHour: 240 },
  clockSkewMs: 20_000,
  storeLatencyMs: 3,
  tokenRotationMs: MINUTE_MS,
};

/** As {@link createVirtualClock} gives promises and streams time: three turns after every timer. */
function patientTime(): FleetTime {
  const clock = createVirtualClock();
  return {
    clock,
    run: async (isOver, latestAt) => {
      while (!isOver() && clock.now() < latestAt) await clock.advance(Math.min(1_000, latestAt - clock.now()));
    },
  };
}

/** What the fleet's identity was charged for one resource, as the ledger has it. */
function ledgerUnits({ ledger }: FleetReport, resource: string): number {
  return ledger.reduce((sum, entry) => sum + (entry.resource === resource ? entry.chargedUnits : 0), 0);
}

/** Modules that are loaded on first use take real time under a test runner: what is compared comes after a rehearsal. */
beforeAll(async () => {
  await runFleet(LIVELY, createSquadClient());
}, 60_000);

describe("a run", () => {
  let first: Promise<FleetReport> | undefined;
  const once = (): Promise<FleetReport> => {
    first ??= runFleet(LIVELY, createSquadClient());
    return first;
  };

  it("is the same again with the same scenario, client and seed", async () => {
    const report = await once();
    expect(await runFleet(LIVELY, createSquadClient())).toEqual(report);
    expect(await runFleet({ ...LIVELY, seed: 4 }, createSquadClient())).not.toEqual(report);
    expect(report.exchanges.count).toBeGreaterThan(80);
  });

  it("needs no more turns of the event loop than it gives, and no fewer than a virtual clock", async () => {
    const report = await once();
    expect(await runFleet(LIVELY, createSquadClient(), { time: createFleetTime(5) })).toEqual(report);
    expect(await runFleet(LIVELY, createSquadClient(), { time: patientTime() })).toEqual(report);
  });

  it("meets all needs and answers all calls with the truth", async () => {
    const { polls, calls } = await once();
    expect(polls).toMatchObject({ count: 18, failed: 0, open: 0, unmet: {}, failures: {}, targetMs: 30_000 });
    expect(calls).toMatchObject({ stale: 0, all: { failed: 0, open: 0 } });
    expect(calls.byName.watcher?.answered).toBeGreaterThan(0);
    expect(calls.byName.caller?.answered).toBeGreaterThan(0);
    expect(calls.all.made).toBe((calls.byName.watcher?.made ?? 0) + (calls.byName.caller?.made ?? 0));
    expect(calls.byPriority.map(({ made }) => made)).toEqual([
      0,
      calls.byName.watcher?.made,
      calls.byName.caller?.made,
    ]);
  });

  it("tells every minute how far it is", async () => {
    const told: number[] = [];
    await runFleet(LIVELY, (seat) => new PlainClient(seat), { onProgress: ({ elapsedMs }) => told.push(elapsedMs) });
    expect(told.slice(0, 2)).toEqual([1, 2].map((minute) => minute * MINUTE_MS));
  });
});

describe("costs", () => {
  const quiet: FleetScenario = {
    seed: 1,
    warmUpMs: MINUTE_MS,
    forMs: 5 * MINUTE_MS,
    agents: [{ name: "watcher", count: 2, priority: 1, work: { kind: "watch" } }],
  };

  it("are four units of REST and one of GraphQL for each poll of a client that asks for everything", async () => {
    const { exchanges, polls, windows } = await runFleet(quiet, (seat) => new PlainClient(seat));
    expect(polls.count).toBe(20);
    expect(exchanges).toMatchObject({
      count: 100,
      perMinute: 20,
      graphql: 20,
      unitsPerHour: { core: 4 * 20 * 12, graphql: 20 * 12 },
      warmUpUnits: { core: 16, graphql: 4 },
      conditional: { reads: 80, hits: 0, misses: 0, hitShare: 0 },
    });
    expect(windows.map(({ resource, used, hidden }) => [resource, used, hidden])).toEqual([
      ["core", 96, 0],
      ["graphql", 24, 0],
    ]);
  });

  it("are nothing at all for a squad while nothing changes", async () => {
    const { exchanges } = await runFleet(quiet, createSquadClient());
    expect(exchanges.unitsPerHour).toEqual({ core: 0 });
    expect(exchanges.conditional).toMatchObject({ misses: 0, errors: 0, hitShare: 1 });
    expect(exchanges.conditional.reads).toBe(exchanges.conditional.hits);
  });

  it("agree with the ledger to the unit", async () => {
    const report = await runFleet({ ...LIVELY, warmUpMs: 0 }, (seat) => new PlainClient(seat));
    const hours = LIVELY.forMs / 3_600_000;
    const { unitsPerHour } = report.exchanges;
    const after = report.allExchanges - report.exchanges.count;
    for (const resource of ["core", "graphql"] as const) {
      const charged = ledgerUnits(report, resource);
      expect(charged).toBeGreaterThan(0);
      // What was sent after the measured time is in the ledger too.
      expect(charged - (unitsPerHour[resource] ?? 0) * hours).toBeGreaterThanOrEqual(-1e-9);
      expect(charged - (unitsPerHour[resource] ?? 0) * hours).toBeLessThanOrEqual(after + 1e-9);
    }
    const [core] = report.windows;
    expect(core).toMatchObject({ resource: "core", limit: 5_000, charged: ledgerUnits(report, "core") });
    expect(core?.hidden).toBeGreaterThan(0);
    expect(core?.used).toBe((core?.charged ?? 0) + (core?.hidden ?? 0));
  });
});

describe("a client that serves stale data", () => {
  class StaleClient extends PlainClient {
    readonly #kept = new Map<FleetAgent, PollNeeds>();

    override async poll(group: readonly FleetAgent[]): Promise<ReadonlyMap<FleetAgent, PollNeeds>> {
      const news = group.filter((agent) => !this.#kept.has(agent));
      for (const [agent, needs] of await super.poll(news)) this.#kept.set(agent, needs);
      return this.#kept;
    }
  }

  it("is found out, by the name of each need", async () => {
    const { polls } = await runFleet(
      { ...LIVELY, changes: { kind: "rate", perHour: 600 } },
      (seat) => new StaleClient(seat),
    );
    expect(Object.keys(polls.unmet)).toEqual(["checks", "comments", "list", "pull", "status"]);
  });

  it("is found out when it gives nothing", async () => {
    class Forgetful extends PlainClient {
      override poll(): Promise<ReadonlyMap<FleetAgent, PollNeeds>> {
        return Promise.resolve(new Map());
      }
    }
    const { polls } = await runFleet(LIVELY, (seat) => new Forgetful(seat));
    expect(polls.unmet).toEqual({ missing: 24 });
  });

  it("is found out when its calls give old answers", async () => {
    class Remembering extends PlainClient {
      readonly #answers = new Map<string, Promise<unknown>>();

      override call(call: Parameters<PlainClient["call"]>[0]): Promise<unknown> {
        const key = JSON.stringify(call.request);
        const answer = this.#answers.get(key) ?? super.call(call);
        this.#answers.set(key, answer);
        return answer;
      }
    }
    const { calls } = await runFleet(
      { ...LIVELY, changes: { kind: "rate", perHour: 1_200 } },
      (seat) => new Remembering(seat),
    );
    expect(calls.stale).toBeGreaterThan(0);
  });
});

describe("polls", () => {
  it("that take longer than they should are followed by the next at once", async () => {
    const slow: FleetScenario = {
      seed: 1,
      warmUpMs: 0,
      forMs: 5 * MINUTE_MS,
      agents: [{ name: "watcher", count: 1, priority: 1, work: { kind: "watch", everyMs: 5_000 } }],
      github: { latency: { restMedianMs: 2_000, graphqlMedianMs: 2_000, sigma: 0 } },
    };
    const { polls } = await runFleet(slow, (seat) => new PlainClient(seat));
    expect(polls.cycle).toMatchObject({ p50Ms: 10_000, maxMs: 10_000 });
    expect(polls.count).toBe(30);
  });

  it("that fail are counted by why", async () => {
    const broken: FleetScenario = {
      ...LIVELY,
      faults: [
        { atMs: MINUTE_MS / 2, forMs: MINUTE_MS, fault: { kind: "status", status: 502 }, pathPattern: "/check-runs" },
      ],
    };
    const { polls, exchanges } = await runFleet(broken, (seat) => new PlainClient(seat));
    expect(polls.failed).toBeGreaterThan(0);
    expect(polls.failures).toEqual({ 502: polls.failed });
    expect(exchanges.serverErrors).toBe(polls.failed + (await ownFailures(broken)));
  });

  async function ownFailures(scenario: FleetScenario): Promise<number> {
    const { calls } = await runFleet(scenario, (seat) => new PlainClient(seat));
    return calls.all.failures["502"] ?? 0;
  }
});
