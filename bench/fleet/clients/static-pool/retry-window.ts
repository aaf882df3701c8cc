import type { FleetAgent } from "../../../../src/sim/fleet/client.js";

/** Shortest and longest wait by priority, in milliseconds. */
const WINDOWS: Readonly<Record<FleetAgent["priority"], readonly [min: number, max: number]>> = {
  0: [500, 5_000],
  1: [2_000, 30_000],
  2: [5_000, 60_000],
};

/** As described: exponential by attempt, and jittered past the window's end, to 7.5, 45 and 90 s. */
export function retryWaitMs(priority: FleetAgent["priority"], attempt: number, random: () => number): number {
  const [min, max] = WINDOWS[priority];
  return Math.min(max, min * 2 ** attempt) * (1 + 0.5 * random());
}
