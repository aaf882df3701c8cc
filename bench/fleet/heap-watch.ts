import type { FleetProgress } from "../../src/sim/fleet/run-fleet.js";

/** What was in memory at a moment of the fleet's time. */
export interface HeapSample {
  readonly minute: number;
  readonly megabytes: number;
}

/** Looks at memory now and then, after a full collection where Node offers one (`--expose-gc`). */
export class HeapWatch {
  readonly #samples: HeapSample[] = [];
  readonly #everyMs: number | undefined;
  #nextMs: number;

  constructor(everyMs: number | undefined) {
    this.#everyMs = everyMs;
    this.#nextMs = everyMs ?? Number.POSITIVE_INFINITY;
  }

  get samples(): readonly HeapSample[] {
    return this.#samples;
  }

  look({ elapsedMs }: FleetProgress): void {
    if (this.#everyMs === undefined || elapsedMs < this.#nextMs) return;
    this.#nextMs += this.#everyMs;
    globalThis.gc?.();
    this.#samples.push({
      minute: Math.round(elapsedMs / 60_000),
      megabytes: process.memoryUsage().heapUsed / 1_000_000,
    });
  }
}
