import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { play } from "./play.js";
import { scenarios } from "./scenario.js";
import { faultsOf, type Tally } from "./verdict.js";

describe("the conditional cache, against a client without one", () => {
  it("answers what GitHub would have, whatever happens", async () => {
    const tally: Tally = {};
    await fc.assert(
      fc.asyncProperty(scenarios(40), async (scenario) => {
        expect(faultsOf(await play(scenario), tally)).toEqual([]);
      }),
      { numRuns: Number(process.env.RUNS ?? 300), ...(process.env.SEED ? { seed: Number(process.env.SEED) } : {}) },
    );
    console.log(tally);
  }, 600_000);
});
