import { describe, expect, it } from "vitest";
import { checkScenario } from "../../../src/sim/fleet/check-scenario.js";
import { oversubscribedFleet, reactiveFleet, watchFleet } from "../../../src/sim/fleet/scenarios.js";

const GOOD = {
  seed: 1,
  warmUpMs: 0,
  forMs: 60_000,
  agents: [{ name: "ralph", count: 2, priority: 1, work: { kind: "watch" } }],
};

function withWork(work: unknown): object {
  return { ...GOOD, agents: [{ ...GOOD.agents[0], work }] };
}

describe("a scenario", () => {
  it("may come out of a file", () => {
    const scenario = JSON.parse(JSON.stringify(GOOD)) as unknown;
    expect(checkScenario(scenario)).toBe(scenario);
  });

  it.each([
    ["watchFleet", watchFleet({ sessions: 50, changes: "measured", processes: 3, github: { latency: false } })],
    ["watchFleet with changes", watchFleet({ sessions: 1, changes: { sharePerPoll: 0.02 }, start: "together" })],
    ["reactiveFleet", reactiveFleet({ sessions: 50, sharePerPoll: 0.05, perRepository: 5 })],
    ["oversubscribedFleet", oversubscribedFleet({ agents: 500, processes: 20, demand: 1.6, hidden: 0.1, kills: 2 })],
  ])("is what %s makes", (_, scenario) => {
    expect(checkScenario(scenario)).toBe(scenario);
  });

  it.each([
    ["nothing", undefined, "scenario must be a plain object"],
    ["a misspelt key", { ...GOOD, hiden: [] }, "scenario.hiden: unknown option; did you mean `hidden`?"],
    ["a missing key", { ...GOOD, seed: undefined }, "scenario.seed must be a whole number of the seed from 0"],
    ["NaN", { ...GOOD, forMs: Number.NaN }, "scenario.forMs must be a number of milliseconds from 1000"],
    ["a negative time", { ...GOOD, warmUpMs: -1 }, "scenario.warmUpMs must be a number of milliseconds from 0"],
    ["an endless time", { ...GOOD, forMs: Number.POSITIVE_INFINITY }, "scenario.forMs must be"],
    ["no agents", { ...GOOD, agents: [] }, "scenario.agents must be 1 to 10000 agents in all"],
    [
      "an enormous count",
      { ...GOOD, agents: [{ ...GOOD.agents[0], count: 1e9 }] },
      "scenario.agents[0].count must be a whole number of agents from 1 to 10000",
    ],
    [
      "too many in all",
      { ...GOOD, agents: ["a", "b"].map((name) => ({ ...GOOD.agents[0], name, count: 6_000 })) },
      "1 to 10000 agents in all; got 12000",
    ],
    ["agents of one name", { ...GOOD, agents: [GOOD.agents[0], GOOD.agents[0]] }, "of different names"],
    ["a priority in words", { ...GOOD, agents: [{ ...GOOD.agents[0], priority: "P1" }] }, "must be one of 0, 1, 2"],
    ["work of no kind", withWork({}), "scenario.agents[0].work.kind must be one of"],
    [
      "work of another kind",
      withWork({ kind: "watch", perHour: 3 }),
      "scenario.agents[0].work.perHour: unknown option",
    ],
    ["more than a page of sessions", withWork({ kind: "watch", perRepository: 101 }), "from 1 to 100"],
    [
      "a share in per cent",
      withWork({ kind: "calls", perHour: 1, writes: 20 }),
      "work.writes must be a share from 0 to 1",
    ],
    [
      "shares beyond 1",
      withWork({ kind: "calls", perHour: 1, writes: 0.6, graphql: 0.6 }),
      "of shares that are 1 together at most; got 1.2",
    ],
    [
      "a mishap of nobody",
      { ...GOOD, mishaps: [{ kind: "kill", process: 1, atMs: 0 }] },
      "scenario.mishaps[0].process must be below 1",
    ],
    [
      "a fault that is none",
      { ...GOOD, faults: [{ atMs: 0, forMs: 1, fault: { kind: "meteor" } }] },
      "scenario.faults[0].fault.kind must be one of",
    ],
    [
      "a pattern that is none",
      { ...GOOD, faults: [{ atMs: 0, forMs: 1, fault: { kind: "html" }, pathPattern: "(" }] },
      "scenario.faults[0].pathPattern must be the source of a regular expression",
    ],
    [
      "a limit of nothing known",
      { ...GOOD, github: { limits: { kore: { limit: 1 } } } },
      "scenario.github.limits.kore: unknown option; did you mean `core`?",
    ],
    [
      "a secondary limit that is no number",
      { ...GOOD, github: { secondary: { concurrency: "100" } } },
      "scenario.github.secondary.concurrency must be a number",
    ],
  ])("is refused with %s", (_, scenario, message) => {
    expect(() => checkScenario(scenario)).toThrow(
      expect.objectContaining({ code: "SQUAD_RATE_OPTIONS", message: expect.stringContaining(message) as string }),
    );
  });
});
