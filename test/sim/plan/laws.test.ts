import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PlanScenario, type PlanWorkload, plan } from "../../../src/sim/index.js";
import { mixture } from "../../../src/sim/plan/mixture.js";

const perHour = fc.integer({ min: 0, max: 2_000 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

const workload: fc.Arbitrary<PlanWorkload> = fc.record({
  kind: fc.constant("workload" as const),
  readsPerHour: perHour,
  unchanged: share,
  writesPerHour: perHour,
  searchesPerHour: fc.integer({ min: 0, max: 60 }),
  queriesPerHour: perHour,
  unitsPerQuery: fc.integer({ min: 1, max: 20 }),
});
const watch = fc.record({
  kind: fc.constant("watch" as const),
  everyMs: fc.integer({ min: 5_000, max: 600_000 }),
  perRepository: fc.integer({ min: 1, max: 30 }),
  ownCallsPerChange: fc.integer({ min: 0, max: 6 }),
});
const scenario: fc.Arbitrary<Omit<PlanScenario, "agents">> = fc.record({
  client: fc.constantFrom("squadRate" as const, "plain" as const),
  polls: fc.constantFrom("agent" as const, "repository" as const, "together" as const),
  processes: fc.integer({ min: 1, max: 20 }),
  changes: fc.oneof(
    fc.record({ kind: fc.constant("share" as const), sharePerPoll: share }),
    fc.record({ kind: fc.constant("rate" as const), perHour }),
  ),
  hidden: fc.array(fc.record({ resource: fc.constant("core" as const), unitsPerHour: perHour }), { maxLength: 2 }),
});
const work = fc.oneof(workload, watch);

describe("how many agents a token carries", () => {
  it("is the most that fit: so many do, and one more does not", () => {
    fc.assert(
      fc.property(scenario, work, fc.integer({ min: 0, max: 50 }), (given, of, count) => {
        const { carries, stopsAt } = plan({ ...given, agents: [{ count, work: of }] });
        if (!Number.isFinite(carries) || carries >= 100_000) return;
        const passed = (agents: number): readonly string[] => {
          const { limits } = plan({ ...given, agents: [{ count: agents, work: of }] });
          const safe = given.client === "squadRate" && (given.processes ?? 1) > 1 ? 0.8 : 0.9;
          const isPassed = (one: (typeof limits)[number]): boolean =>
            one.share > safe || (given.client === "plain" && one.peak > one.allowed);
          return limits.filter(isPassed).map(({ limit }) => limit);
        };
        if (carries > 0) expect(passed(carries)).toEqual([]);
        expect(passed(carries + 1)).toContain(stopsAt);
      }),
      { numRuns: 100 },
    );
  });

  it("does not depend on how many the scenario has", () => {
    fc.assert(
      fc.property(scenario, work, work, fc.integer({ min: 1, max: 40 }), (given, one, other, times) => {
        const of = (count: number): number =>
          plan({
            ...given,
            agents: [
              { count: 2 * count, work: one },
              { count, work: other },
            ],
          }).carries;
        expect(of(times)).toBe(of(1));
      }),
      { numRuns: 25 },
    );
  });
});

describe("what agents cost", () => {
  it("is never less for more of them, where changes come by the agent", () => {
    fc.assert(
      fc.property(scenario, work, share, fc.integer({ min: 0, max: 300 }), (given, of, sharePerPoll, count) => {
        const usesOf = (agents: number): ReadonlyMap<string, number> => {
          const changes = { kind: "share", sharePerPoll } as const;
          const { limits } = plan({ ...given, changes, agents: [{ count: agents, work: of }] });
          return new Map(limits.map(({ limit, used }) => [limit, used]));
        };
        const more = usesOf(count + 1);
        for (const [limit, used] of usesOf(count)) expect(more.get(limit)).toBeGreaterThanOrEqual(used * (1 - 1e-9));
      }),
      { numRuns: 60 },
    );
  });

  it("is within every limit, and no further than it need be, once it goes as much slower as the plan says", () => {
    fc.assert(
      fc.property(scenario, workload, fc.integer({ min: 1, max: 500 }), (given, of, count) => {
        const { cycle } = plan({ ...given, agents: [{ count, work: of }] });
        if (!Number.isFinite(cycle)) return;
        const slower = { readsPerHour: 0, writesPerHour: 0, searchesPerHour: 0, queriesPerHour: 0, ...of };
        const slowed = {
          ...of,
          readsPerHour: slower.readsPerHour / cycle,
          writesPerHour: slower.writesPerHour / cycle,
          searchesPerHour: slower.searchesPerHour / cycle,
          queriesPerHour: slower.queriesPerHour / cycle,
        };
        const fullest = plan({ ...given, agents: [{ count, work: slowed }] }).binding.share;
        const divides = given.client === "squadRate" && (given.processes ?? 1) > 1;
        expect(fullest).toBeLessThanOrEqual(1 + 1e-6);
        if (cycle > 1) expect(fullest).toBeGreaterThan((divides ? 0.9 : 1) - 1e-6);
      }),
      { numRuns: 60 },
    );
  });

  it("is told in whole sentences, whatever is asked", () => {
    fc.assert(
      fc.property(scenario, fc.array(fc.record({ count: fc.integer({ min: 0, max: 999 }), work })), (given, agents) => {
        for (const line of plan({ ...given, agents }).explain) {
          expect(line).toMatch(/^[A-Z0-9].*\.$/);
          expect(line).not.toMatch(/NaN|Infinity|undefined|∞/);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("a mixture of agents", () => {
  const counts = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 });

  it("is the scenario's own at its own size, and at every multiple of it", () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 9 }), (given, times) => {
        const total = given.reduce((sum, count) => sum + count, 0);
        fc.pre(total > 0);
        expect(mixture(given)(total * times)).toEqual(given.map((count) => count * times));
      }),
    );
  });

  it("has one more agent of one kind for each that is added", () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 0, max: 400 }), (given, total) => {
        const mix = mixture(given);
        const added = mix(total + 1).map((count, kind) => count - (mix(total)[kind] ?? 0));
        expect([...added].sort()).toEqual([...given.map(() => 0).slice(1), 1]);
      }),
    );
  });
});
