import fc from "fast-check";
import { expect, it } from "vitest";
import { LONGEST_READ_MS, type Played, play, schedules } from "./random-schedules.js";

/**
 * GitHub tells its time by the second, and a read takes up to `LONGEST_READ_MS`, of which nobody knows when in it the time was
 * told: each process may err by half of both, and two of them by all.
 */
const CLOCK_ERROR_MS = 1_000 + LONGEST_READ_MS;

/** What holds whatever happens. */
function check(calls: readonly Played[]): void {
  for (const { asked, saw, produced, end } of calls) {
    // Nothing is paid for on the word of a read that failed.
    expect(produced).not.toContain(undefined);
    if (end === undefined || !end.ok) continue;
    const { value, how, ageMs } = end.outcome;
    if (how === "unchanged" || how === "stale") {
      expect(end.atMs - value.endedAt).toBeLessThan(asked.maxAgeMs + CLOCK_ERROR_MS);
    }
    expect(Math.abs(end.atMs - value.endedAt - ageMs)).toBeLessThanOrEqual(CLOCK_ERROR_MS);
    if (how !== "stale") expect(value.began).toBeGreaterThanOrEqual(saw as number);
    if (how !== "produced") continue;
    expect(produced.length).toBeGreaterThan(0);
  }
}

it("never gives a value from before what the caller has read, and produces once for each answer", async () => {
  await fc.assert(
    fc.asyncProperty(schedules({ faults: false }), async (schedule) => {
      const calls = await play(schedule);
      check(calls);
      // Without faults a call fails only when it has waited as long as it may.
      expect(calls.every(({ end }) => end?.ok || String(end?.error).includes("waitMs is"))).toBe(true);
      const productions = calls.flatMap(({ asked, produced }) =>
        // Without a store each squad is alone.
        produced.map((saw) => (schedule.isLocal ? `${asked.squad % schedule.squads} ${saw}` : `${saw}`)),
      );
      expect(productions.length).toBe(new Set(productions).size);
    }),
    { numRuns: 150 },
  );
}, 60_000);

it("never gives a value from before what the caller has read, nor one that is too old, whatever fails", async () => {
  await fc.assert(
    fc.asyncProperty(schedules({ faults: true }), async (schedule) => {
      const calls = await play(schedule);
      check(calls);
      expect(calls.every(({ end }) => end !== undefined)).toBe(true);
    }),
    { numRuns: 150 },
  );
}, 60_000);
