import type { FleetTimes } from "./report.js";

/** Counts times by the millisecond: the memory that it takes depends on how different they are, not on how many. */
export class TimeTally {
  readonly #counts = new Map<number, number>();
  #count = 0;
  #sum = 0;

  add(ms: number, times = 1): void {
    const whole = Math.round(ms);
    this.#counts.set(whole, (this.#counts.get(whole) ?? 0) + times);
    this.#count += times;
    this.#sum += ms * times;
  }

  times(): FleetTimes {
    const sorted = [...this.#counts].sort(([one], [other]) => one - other);
    const at = (share: number): number => {
      let left = Math.floor(share * this.#count);
      for (const [ms, count] of sorted) {
        if (left < count) return ms;
        left -= count;
      }
      return sorted.at(-1)?.[0] ?? 0;
    };
    return {
      count: this.#count,
      meanMs: this.#count === 0 ? 0 : this.#sum / this.#count,
      p50Ms: at(0.5),
      p95Ms: at(0.95),
      p99Ms: at(0.99),
      maxMs: at(1),
    };
  }
}

/** Counts by name. */
export class NameTally {
  readonly #counts = new Map<string, number>();

  add(name: string, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}
