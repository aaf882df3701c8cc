/** Percentiles of something measured in milliseconds; undefined when nothing was measured. */
export interface Percentiles {
  readonly count: number;
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Bounds of two neighbouring buckets have this ratio, so a bucket's middle is within half a percent of all in it. */
const RATIO = 1.01;
const LOG_RATIO = Math.log(RATIO);

/** What is shorter counts as nothing. */
const MIN_MS = 0.001;

/**
 * Counts durations in buckets whose bounds grow by one percent: some 3,500 of them hold everything from a microsecond to a
 * month. A percentile out of it is within one percent of the exact one (the smallest value that so many percent of all do
 * not exceed), as in DDSketch.
 */
export class Histogram {
  readonly #buckets = new Map<number, number>();
  #zeros = 0;
  #count = 0;
  #sum = 0;
  #max = 0;

  get count(): number {
    return this.#count;
  }

  add(ms: number): void {
    this.#count++;
    this.#sum += ms;
    if (ms > this.#max) this.#max = ms;
    if (ms < MIN_MS) {
      this.#zeros++;
      return;
    }
    const bucket = Math.ceil(Math.log(ms) / LOG_RATIO);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
  }

  percentiles(): Percentiles | undefined {
    if (this.#count === 0) return undefined;
    const [p50Ms = 0, p95Ms = 0, p99Ms = 0] = this.#quantiles([0.5, 0.95, 0.99]);
    return { count: this.#count, meanMs: this.#sum / this.#count, p50Ms, p95Ms, p99Ms, maxMs: this.#max };
  }

  #quantiles(shares: readonly number[]): readonly number[] {
    const sorted = [...this.#buckets].sort(([a], [b]) => a - b);
    return shares.map((share) => {
      const rank = Math.max(1, Math.ceil(share * this.#count));
      let seen = this.#zeros;
      if (rank <= seen) return 0;
      for (const [bucket, count] of sorted) {
        seen += count;
        // The bucket's middle, in the sense that both of its bounds are as far off, in proportion.
        if (rank <= seen) return Math.min(this.#max, (2 * RATIO ** bucket) / (1 + RATIO));
      }
      return this.#max;
    });
  }
}
