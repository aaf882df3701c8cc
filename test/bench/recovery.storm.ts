import { beforeAll, describe, expect, it } from "vitest";
import { Children } from "../../bench/recovery/children.js";
import { compile } from "../../bench/recovery/compile.js";
import type { Figures } from "../../bench/recovery/figures.js";
import type { Job } from "../../bench/recovery/job.js";
import type { ScenarioName } from "../../bench/recovery/scenarios.js";

const SEEDS = [1, 2] as const;

let children: Children<Job, Figures>;

beforeAll(async () => {
  children = new Children<Job, Figures>(await compile("bench/recovery.ts"));
});

function play(scenario: ScenarioName, client: "squad" | "plain" | "throttled"): Promise<readonly Figures[]> {
  return Promise.all(SEEDS.map((seed) => children.do({ scenario, client, seed, quick: true })));
}

describe("a fleet of agents, each with a squad of its own on one store", () => {
  it("at twice the quota is refused nothing, and uses nearly all of it", async () => {
    for (const figures of await play("steady", "squad")) {
      expect(figures).toMatchObject({
        refusedByPrimary: 0,
        refusedBySecondary: 0,
        duplicatedWrites: 0,
        overtakenWrites: 0,
      });
      expect(figures.used).toBeGreaterThan(0.95);
    }
  });

  it.each(["refused-bare", "refused-retry-after"] as const)(
    "after a secondary refusal sends one more request a process at most, and repeats no write: %s",
    async (scenario) => {
      for (const figures of await play(scenario, "squad")) {
        expect(figures.refusedBySecondary).toBeGreaterThan(0);
        expect(figures).toMatchObject({ refusedByPrimary: 0, duplicatedWrites: 0 });
        // What a process sends before its own refusal is told was in flight, or the one by which it learns of it.
        expect(figures.sentThoughTold).toBe(0);
      }
    },
  );

  it("starts in order after a reset that a crowd has waited for, where the plugins send all at once", async () => {
    const [ours, theirs] = await Promise.all([play("crowd", "squad"), play("crowd", "throttled")]);
    for (const [index, figures] of ours.entries()) {
      expect(figures).toMatchObject({ failed: 0, open: 0, duplicatedWrites: 0, overtakenWrites: 0 });
      // One finds out that nothing is left.
      expect(figures.refusedByPrimary).toBeLessThanOrEqual(1);
      expect(figures.peakPerSecond).toBeLessThan(0.2 * (theirs[index]?.peakPerSecond ?? 0));
    }
  });
});
