import { RESET_GUARD_MS, RESET_TOLERANCE_MS } from "./window.js";

/** How much of a window was used at one moment. `at` is in epoch milliseconds on GitHub's clock. */
export interface UsageSample {
  readonly at: number;
  readonly used: number;
}

/** A sample, and the end of the window it is of: what an answer's headers say, or what is believed of them. */
export interface UsageSeen extends UsageSample {
  readonly resetAt: number;
}

/** Samples of one window: rising in `at`, never falling in `used`. Plain data, made by {@link addSample}. */
export interface UsageSamples {
  /** The end of that window as its first sample named it. */
  readonly resetAt: number;
  readonly samples: readonly UsageSample[];
}

/** Where the pace of a window leads. */
export interface Forecast {
  readonly unitsPerMinute: number;
  /** Milliseconds from now until nothing remains; may lie beyond the reset. */
  readonly exhaustedInMs: number;
}

/** Two points are always on a line; a third is the least that can contradict them. */
const FEWEST_SAMPLES = 3;

const SAMPLES_PER_WINDOW = 120;

/**
 * Takes in one sample. Units count for all credentials of a principal, whatever their limits, so a limit that changes
 * takes nothing away from what is known of the pace.
 *
 * - A window that ends later clears the samples; one that ends sooner is a late answer's, and is not heard.
 * - Samples are at least a 120th of the window apart (30 s in an hour), lest a burst of a second pass for a pace.
 * - Answers arrive in any order, so each takes its place in time. A count never sinks within a window: one that is
 *   lower than an earlier sample's is a lagging server's, and one that is higher than a later sample's raises that.
 * - A window in which nothing was charged has no end yet, and one that is over has no future: neither is heard.
 *
 * Returns the same object when nothing changed.
 *
 * @param windowMs The length of the window.
 * @param keep How many samples to keep, the newest; at least 3. Default: 10.
 *
 * @example
 * ```ts
 * let samples: UsageSamples | undefined;
 * for (const [minute, used] of [[0, 1_000], [1, 1_600], [2, 2_200]]) {
 *   samples = addSample(samples, { at: start + minute * 60_000, used, resetAt }, 3_600_000);
 * }
 * forecast(samples, 2_800, start + 120_000); // { unitsPerMinute: 600, exhaustedInMs: 280_000 }
 * ```
 */
export function addSample(
  kept: UsageSamples | undefined,
  seen: UsageSeen,
  windowMs: number,
  keep: number = 10,
): UsageSamples | undefined {
  if (seen.used < 1 || seen.at >= seen.resetAt + RESET_GUARD_MS) return kept;
  if (kept === undefined || seen.resetAt > kept.resetAt + RESET_TOLERANCE_MS) {
    return { resetAt: seen.resetAt, samples: [{ at: seen.at, used: seen.used }] };
  }
  if (seen.resetAt < kept.resetAt - RESET_TOLERANCE_MS) return kept;
  const samples = insert(kept.samples, seen, Math.max(1, windowMs / SAMPLES_PER_WINDOW), keep);
  return samples === kept.samples ? kept : { resetAt: kept.resetAt, samples };
}

/**
 * When the window will be used up at the pace of its samples, by least squares. `undefined` with fewer than three of
 * them, when they show no use, and when their window is over.
 *
 * A silence leaves no samples. Where no answer came for a while, what is believed now is one: nothing more was seen.
 *
 * @param remainingUnits What is left now, units held by calls in flight taken off.
 * @param now Epoch milliseconds on GitHub's clock.
 */
export function forecast(kept: UsageSamples | undefined, remainingUnits: number, now: number): Forecast | undefined {
  if (kept === undefined || kept.samples.length < FEWEST_SAMPLES || now >= kept.resetAt + RESET_GUARD_MS)
    return undefined;
  const unitsPerMs = slope(kept.samples);
  if (unitsPerMs <= 0) return undefined;
  return { unitsPerMinute: unitsPerMs * 60_000, exhaustedInMs: Math.max(0, remainingUnits) / unitsPerMs };
}

function insert(
  samples: readonly UsageSample[],
  seen: UsageSample,
  apartMs: number,
  keep: number,
): readonly UsageSample[] {
  const place = samples.findIndex(({ at }) => at >= seen.at);
  const [before, after] = place < 0 ? [samples, []] : [samples.slice(0, place), samples.slice(place)];
  const previous = before.at(-1);
  const next = after[0];
  const used = Math.max(seen.used, previous?.used ?? 0);
  const fits =
    (previous === undefined ? samples.length < keep : seen.at - previous.at >= apartMs) &&
    (next === undefined || next.at - seen.at >= apartMs);
  if (!fits && (next === undefined || next.used >= used)) return samples;
  const raised = after.map((sample) => (sample.used < used ? { at: sample.at, used } : sample));
  return fits ? [...before, { at: seen.at, used }, ...raised].slice(-keep) : [...before, ...raised];
}

/** Units per millisecond. Times are taken from their mean, since epoch milliseconds squared exceed what a number holds. */
function slope(samples: readonly UsageSample[]): number {
  const meanAt = mean(samples.map(({ at }) => at));
  const meanUsed = mean(samples.map(({ used }) => used));
  let together = 0;
  let spread = 0;
  for (const { at, used } of samples) {
    together += (at - meanAt) * (used - meanUsed);
    spread += (at - meanAt) ** 2;
  }
  return together / spread;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
