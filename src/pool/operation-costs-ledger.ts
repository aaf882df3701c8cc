import {
  applyObservations,
  type CostObservations,
  type CostReport,
  expectedUnits,
  followedBy,
  isCostKey,
  isNews,
  MAX_OPERATIONS,
  newestCosts,
  type OperationCost,
  type OperationCostsDocument,
  observeCost,
} from "../policy/operation-costs.js";

/** What came of an observation: nothing, because it cannot be; or whether others would reserve differently by it. */
export type Learnt = "nothing" | "confirmation" | "news";

/**
 * What one process knows of costs, and what of that it has seen itself and nobody has been told. Both keep the
 * thousand operations seen last, and never more than twice as many. Neither learning nor looking up copies what grows.
 */
export class CostsLedger {
  readonly #reporter: string | undefined;
  /** What the document says, with what nobody has been told laid upon it. */
  #known = new Map<string, OperationCost>();
  #unreported = new Map<string, CostObservations>();
  /** A report under way, or one whose answer is missing: it may have been taken or not. */
  #report: CostReport | undefined;
  #reports = 0;
  #document: OperationCostsDocument | undefined;

  /** `reporter`: unique and random, so that no other process's report is taken for one of this; undefined: there are none. */
  constructor(reporter: string | undefined) {
    this.#reporter = reporter;
  }

  /** The newest document that was seen. */
  get document(): OperationCostsDocument | undefined {
    return this.#document;
  }

  /** Whether there is something that the others may not know. */
  get owes(): boolean {
    return this.#report !== undefined || this.#unreported.size > 0;
  }

  /** Units to reserve for the next call; `now` is GitHub's time. */
  expected(key: string, now: number): number | undefined {
    return expectedUnits(this.#known.get(key), now);
  }

  learn(key: string, units: number, now: number): Learnt {
    const before = this.#known.get(key);
    const seen = observeCost(units, now);
    if (seen === undefined || (before === undefined && !isCostKey(key))) return "nothing";
    const after = applyObservations(before, seen);
    if (before === undefined) makeRoom(this.#known);
    this.#known.set(key, after);
    const learnt = isNews(before, after) ? "news" : "confirmation";
    if (this.#reporter === undefined) return learnt;
    const unreported = this.#unreported.get(key);
    if (unreported === undefined) makeRoom(this.#unreported);
    this.#unreported.set(key, unreported === undefined ? seen : followedBy(unreported, seen));
    return learnt;
  }

  /** What to report: the report whose answer is missing, or all that was seen since; `undefined` when that is nothing. */
  takeReport(): CostReport | undefined {
    if (this.#report === undefined && this.#unreported.size > 0) {
      this.#report = { id: `${this.#reporter}:${++this.#reports}`, observations: this.#unreported };
      this.#unreported = new Map();
    }
    return this.#report;
  }

  /**
   * This is what the store has now; a report that is in it need not be brought again. Returns whether others would reserve
   * differently by what they have not been told. `now` is GitHub's time.
   */
  adopt(document: OperationCostsDocument | undefined, now: number): boolean {
    this.#document = document;
    if (this.#report !== undefined && document?.reports.includes(this.#report.id) === true) this.#report = undefined;
    const stored = new Map(Object.entries(document?.costs ?? {}));
    const known = new Map(stored);
    for (const untold of [this.#report?.observations, this.#unreported]) {
      for (const [key, own] of untold ?? []) known.set(key, applyObservations(known.get(key), own));
    }
    this.#known = new Map(newestCosts(known, now));
    return Array.from(this.#known).some(([key, cost]) => cost !== stored.get(key) && isNews(stored.get(key), cost));
  }
}

/** Keeps those seen last; sorted once in a thousand new ones, so that room need not be found for each. */
function makeRoom<Seen extends { readonly seenAt: number }>(map: Map<string, Seen>): void {
  if (map.size < 2 * MAX_OPERATIONS) return;
  const oldestFirst = Array.from(map).sort((one, other) => one[1].seenAt - other[1].seenAt);
  for (const [key] of oldestFirst.slice(0, -MAX_OPERATIONS)) map.delete(key);
}
