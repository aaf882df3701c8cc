const HOUR_MS = 3_600_000;

/** Less than this in the time that the average remembers is no demand, and keeps no class present. */
const NEGLIGIBLE_UNITS = 0.02;

/** A fading count of units: how many are expected to be charged, by how many lately were. */
export interface Want {
  readonly perHour: number;
  /** When `perHour` was true; it fades since. */
  readonly at: number;
}

export const NO_WANT: Want = { perHour: 0, at: 0 };

/** Counts `units`; negative when a call turned out to cost nothing, as an unchanged answer does. */
export function countWant(want: Want, units: number, windowMs: number, now: number): Want {
  return { perHour: Math.max(0, wantPerHour(want, windowMs, now) + (units * HOUR_MS) / memoryMs(windowMs)), at: now };
}

/** Units expected to be charged, per hour. */
export function wantPerHour(want: Want, windowMs: number, now: number): number {
  if (want.perHour === 0) return 0;
  const faded = want.perHour * Math.exp(-Math.max(0, now - want.at) / memoryMs(windowMs));
  return faded * memoryMs(windowMs) < NEGLIGIBLE_UNITS * HOUR_MS ? 0 : faded;
}

/** Long enough for a few arrivals, short enough to follow a change within a window. */
function memoryMs(windowMs: number): number {
  return Math.min(Math.max(10_000, windowMs / 12), 5 * 60_000);
}
