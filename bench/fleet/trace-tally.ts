import type { TraceRecord } from "../../src/trace/record.js";

/** Units of primary quota by resource. */
export type UnitsByResource = Readonly<Record<string, number>>;

/** Adds up what squads' traces say that requests cost. */
export class TraceTally {
  readonly #units: Record<string, number> = {};

  /** To be given to squads. */
  readonly add = (record: TraceRecord): void => {
    if (record.kind !== "attempt") return;
    this.#units[record.resource] = (this.#units[record.resource] ?? 0) + record.chargedUnits;
  };

  get units(): UnitsByResource {
    return { ...this.#units };
  }
}
