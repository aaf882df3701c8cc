/** Widths that time is divided into, so that bounds fall on whole minutes and hours. */
const WIDTHS_MS: readonly number[] = [
  1_000, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000, 10_800_000, 21_600_000, 43_200_000,
  86_400_000, 604_800_000, 2_419_200_000, 9_676_800_000, 38_707_200_000,
];

/**
 * Things by time in a bounded number of equal buckets, however long it goes on: when there would be too many, neighbours
 * are joined.
 */
export class Buckets<T> {
  readonly #max: number;
  readonly #make: () => T;
  readonly #join: (into: T, other: T) => void;
  #width = 0;
  #byIndex = new Map<number, T>();
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;

  constructor(max: number, make: () => T, join: (into: T, other: T) => void) {
    this.#max = max;
    this.#make = make;
    this.#join = join;
  }

  get widthMs(): number {
    return WIDTHS_MS[this.#width] as number;
  }

  at(time: number): T {
    let index = Math.floor(time / this.widthMs);
    while (!this.#fits(index) && this.#width < WIDTHS_MS.length - 1) {
      this.#widen();
      index = Math.floor(time / this.widthMs);
    }
    this.#least = Math.min(this.#least, index);
    this.#most = Math.max(this.#most, index);
    let bucket = this.#byIndex.get(index);
    if (bucket === undefined) {
      bucket = this.#make();
      this.#byIndex.set(index, bucket);
    }
    return bucket;
  }

  /** By their beginnings; those in which nothing happened are left out. */
  list(): readonly { readonly at: number; readonly bucket: T }[] {
    return [...this.#byIndex]
      .sort(([a], [b]) => a - b)
      .map(([index, bucket]) => ({ at: index * this.widthMs, bucket }));
  }

  #fits(index: number): boolean {
    return Math.max(this.#most, index) - Math.min(this.#least, index) < this.#max;
  }

  #widen(): void {
    const before = this.widthMs;
    this.#width++;
    const old = [...this.#byIndex].sort(([a], [b]) => a - b);
    this.#byIndex = new Map();
    this.#least = Number.POSITIVE_INFINITY;
    this.#most = Number.NEGATIVE_INFINITY;
    for (const [oldIndex, bucket] of old) {
      const index = Math.floor((oldIndex * before) / this.widthMs);
      this.#least = Math.min(this.#least, index);
      this.#most = Math.max(this.#most, index);
      const into = this.#byIndex.get(index);
      if (into === undefined) this.#byIndex.set(index, bucket);
      else this.#join(into, bucket);
    }
  }
}
