import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fleetOf } from "../../../../src/sim/fleet/quota/scenario.js";
import { figuresOf, HOUR_MS, MINUTE_MS, measure, run } from "./fleets.js";

const TEN_MINUTES = { spenders: 8, limit: 1_000, windowMs: 10 * MINUTE_MS, windows: 6 };
const SEEDS = [1, 2];

describe("a fleet on virtual time", () => {
  it("runs the same way every time, and another way with another seed", () => {
    const scenario = fleetOf({ ...TEN_MINUTES, seed: 7, hidden: 0.1, killed: 2 });
    expect(run(scenario)).toEqual(run(scenario));
    expect(run({ ...scenario, seed: 8 })).not.toEqual(run(scenario));
  });

  it("ends every call, once", () => {
    const { classes } = run(fleetOf({ ...TEN_MINUTES, seed: 3 }));
    for (const of of classes) {
      const open = of.arrived - of.answered - of.refused - of.gaveUp;
      // Calls of the last minute may still wait.
      expect(open).toBeGreaterThanOrEqual(0);
      expect(open).toBeLessThan(100);
    }
  });
});

describe("the pool", () => {
  it("uses the quota and is refused nothing without hidden use, two spenders killed", () => {
    const figures = measure({ ...TEN_MINUTES, killed: 2 }, SEEDS);
    expect(figures).toMatchObject({ refused: 0 });
    expect(figures.used).toBeGreaterThan(0.98);
    expect(figures.operationsPerRequest).toBeLessThanOrEqual(0.5);
  });

  it("keeps refusals rare with 10 % hidden use, and leaves little of the quota", () => {
    const figures = measure({ ...TEN_MINUTES, hidden: 0.1, killed: 2 }, SEEDS);
    expect(figures.refused).toBeLessThanOrEqual(0.001);
    expect(figures.used).toBeGreaterThanOrEqual(0.97);
    expect(figures.operationsPerRequest).toBeLessThanOrEqual(0.5);
  });

  it("serves P0 when demand is far beyond the quota", () => {
    const figures = measure({ ...TEN_MINUTES, hidden: 0.1 }, SEEDS);
    expect(figures.urgentAnswered).toBeGreaterThan(0.98);
    expect(figures.urgentP99Ms).toBeLessThan(30_000);
  });

  it.each([
    [
      "machines' clocks are half a minute off and headers jitter",
      { clockSkewMs: 30_000, clockErrorMs: 500, resetJitterMs: 1_000 },
    ],
    ["half of the calls cost nothing", { unchangedShare: 0.5 }],
    ["answers take seconds", { latencyMs: 3_000 }],
    ["the store is slow", { storeLatencyMs: 150 }],
    [
      "processes are stopped past their lease and go on",
      {
        mishaps: [
          { kind: "stop", process: "process-2", atMs: 700_000, forMs: 200_000 },
          { kind: "stop", process: "process-6", atMs: 1_000_000, forMs: 700_000 },
        ],
      },
    ],
    ["credentials have limits of their own", { limits: { "process-1": 700, "process-5": 400 } }],
  ] as const)("is refused nothing when %s", (_, change) => {
    expect(measure({ ...TEN_MINUTES, demand: 3.2 }, SEEDS, change)).toMatchObject({ refused: 0 });
  });

  // Who has not sent for a while has an old header, and of the pool's last word only what was left for all of them.
  it("is refused at most a call of each spender when the store is away while little is left, and across a reset", () => {
    for (const [seed, atMs] of [700_000, 900_000, 1_000_000, 1_100_000].entries()) {
      const mishaps = [{ kind: "store-away", atMs, forMs: 300_000 } as const];
      const { refused, windows } = run({ ...fleetOf({ ...TEN_MINUTES, windows: 4, seed, demand: 3.2 }), mishaps });
      expect(refused).toBeLessThanOrEqual(TEN_MINUTES.spenders);
      for (const { used, limit } of windows) expect(used / limit).toBeGreaterThan(0.95);
    }
  });

  it("gives a dead spender's units to the others within its lease and a minute", () => {
    const dead = { kind: "kill", process: "process-7", atMs: 620_000 } as const;
    const scenario = { ...fleetOf({ ...TEN_MINUTES, seed: 5, windows: 4 }), mishaps: [dead] };
    for (const { used, limit } of run(scenario).windows) expect(used / limit).toBeGreaterThan(0.98);
  });

  it("lets a lone spender of any class use 98 % of a window and more", () => {
    const windowMs = fc.constantFrom(MINUTE_MS, 10 * MINUTE_MS, HOUR_MS);
    fc.assert(
      fc.property(
        fc.integer({ min: 400, max: 3_000 }),
        windowMs,
        fc.constantFrom(0, 1, 2),
        fc.nat(1_000),
        (limit, length, priority, seed) => {
          const agent = { name: "solo", process: "solo", priority: priority as 0 | 1 | 2, callsPerWindow: 1.6 * limit };
          const scenario = { ...fleetOf({ seed, spenders: 1, limit, windowMs: length, windows: 3 }), agents: [agent] };
          for (const { used } of run(scenario).windows) expect(used / limit).toBeGreaterThanOrEqual(0.98);
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  it("needs no more than one spender for many agents of one process", () => {
    const agents = fleetOf({ ...TEN_MINUTES, spenders: 100, seed: 4 }).agents.map((agent) => ({
      ...agent,
      process: "proxy",
    }));
    const figures = figuresOf([run({ ...fleetOf({ ...TEN_MINUTES, seed: 4 }), agents })]);
    expect(figures.operationsPerRequest).toBeLessThan(0.1);
    expect(figures.urgentAnswered).toBeGreaterThan(0.99);
    expect(figures.used).toBeGreaterThan(0.98);
  });

  it("leaves quota unused when it is split and not lent", () => {
    const lent = figuresOf([run(fleetOf({ ...TEN_MINUTES, seed: 6 }))]);
    const fixed = figuresOf([run(fleetOf({ ...TEN_MINUTES, seed: 6 }), "fixed")]);
    expect(fixed.refused).toBe(0);
    expect(fixed.used).toBeLessThan(lent.used);
  });
});
