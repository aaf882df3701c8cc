import fc from "fast-check";
import { expect } from "vitest";
import { play } from "./play.js";
import { scenarios } from "./scenario-arbitrary.js";
import { faultsOf, type Tally } from "./verdict.js";

/**
 * Plays `numRuns` scenarios of about 40 steps and checks every answer of each. A failure names its seed and path, and the
 * shortest scenario found that fails; after `limitMs` it stops looking for a shorter one.
 */
export async function checkCache(numRuns: number, limitMs: number): Promise<void> {
  const tally: Tally = {};
  const property = fc.asyncProperty(scenarios(40), async (scenario) => {
    expect(faultsOf(await play(scenario), tally)).toEqual([]);
  });
  await fc.assert(property, { numRuns, interruptAfterTimeLimit: limitMs });
  // A property that never sees a kind of answer says nothing of it.
  for (const how of ["miss", "changed", "revalidated", "shared", "fresh", "stale", "aborted", "broken", "refused"]) {
    expect(tally, `answers that were "${how}"`).toHaveProperty(how);
  }
}
