import type { Exchange, ObservedRate } from "../observed.js";
import { quotaOwner } from "../quota/owner.js";
import { Buckets } from "./buckets.js";

/** Units by agent over time. */
export interface Burn {
  readonly widthMs: number;
  /** Most units first. `undefined`: the trace does not say who. */
  readonly agents: readonly (string | undefined)[];
  readonly buckets: readonly {
    /** Its beginning, epoch milliseconds. */
    readonly at: number;
    /** By agent, in the order of `agents`. */
    readonly units: readonly number[];
    readonly otherUnits: number;
    /** Booked as hidden in this time. */
    readonly hiddenUnits: number;
    readonly exchanges: number;
    readonly refused: number;
  }[];
}

/** What was left of one quota over time. */
export interface RemainingSeries {
  readonly principal: string;
  readonly resource: string;
  readonly limit: number;
  readonly points: readonly { readonly at: number; readonly remaining: number }[];
}

interface Bucket {
  readonly units: Map<number, number>;
  readonly remaining: Map<number, number>;
  hidden: number;
  exchanges: number;
  refused: number;
}

/** Agents with a colour of their own, and quotas with a line. */
const MAX_AGENTS = 10;
const MAX_SERIES = 8;

/** Agents and quotas that are told apart while reading. */
const MAX_TRACKED_AGENTS = 500;
const MAX_TRACKED_SERIES = 64;

/** Follows units, and what is left of quotas, through time. */
export class Timeline {
  readonly #buckets: Buckets<Bucket>;
  readonly #agents = new Map<string | undefined, number>();
  readonly #totals: number[] = [];
  readonly #series = new Map<
    string,
    { readonly id: number; readonly principal: string; readonly resource: string; limit: number; seen: number }
  >();

  constructor(maxBuckets: number) {
    this.#buckets = new Buckets(
      maxBuckets,
      () => ({ units: new Map(), remaining: new Map(), hidden: 0, exchanges: 0, refused: 0 }),
      join,
    );
  }

  exchange({ at, agent, units = 0, outcome }: Exchange): void {
    const bucket = this.#buckets.at(at);
    bucket.exchanges++;
    if (outcome === "primary-limit" || outcome === "secondary-limit") bucket.refused++;
    if (units === 0) return;
    let id = this.#agents.get(agent);
    if (id === undefined) {
      id = this.#agents.size < MAX_TRACKED_AGENTS ? this.#agents.size : OTHERS;
      if (id !== OTHERS) this.#agents.set(agent, id);
    }
    bucket.units.set(id, (bucket.units.get(id) ?? 0) + units);
    if (id !== OTHERS) this.#totals[id] = (this.#totals[id] ?? 0) + units;
  }

  hidden(at: number, units: number): void {
    this.#buckets.at(at).hidden += units;
  }

  remaining(at: number, principal: string | undefined, host: string, resource: string, rate: ObservedRate): void {
    const owner = quotaOwner(principal, host);
    const key = `${owner.key}\n${resource}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      if (this.#series.size >= MAX_TRACKED_SERIES) return;
      series = { id: this.#series.size, principal: owner.name, resource, limit: rate.limit, seen: 0 };
      this.#series.set(key, series);
    }
    series.limit = rate.limit;
    series.seen++;
    const { remaining } = this.#buckets.at(at);
    remaining.set(series.id, Math.min(remaining.get(series.id) ?? rate.remaining, rate.remaining));
  }

  burn(): Burn {
    const shown = [...this.#agents]
      .sort(([, a], [, b]) => (this.#totals[b] ?? 0) - (this.#totals[a] ?? 0))
      .slice(0, MAX_AGENTS);
    const ids = new Set(shown.map(([, id]) => id));
    return {
      widthMs: this.#buckets.widthMs,
      agents: shown.map(([agent]) => agent),
      buckets: this.#buckets.list().map(({ at, bucket }) => {
        let otherUnits = 0;
        for (const [id, units] of bucket.units) if (!ids.has(id)) otherUnits += units;
        const { hidden: hiddenUnits, exchanges, refused } = bucket;
        return {
          at,
          units: shown.map(([, id]) => bucket.units.get(id) ?? 0),
          otherUnits,
          hiddenUnits,
          exchanges,
          refused,
        };
      }),
    };
  }

  series(): readonly RemainingSeries[] {
    const buckets = this.#buckets.list();
    return [...this.#series.values()]
      .sort((a, b) => b.seen - a.seen)
      .slice(0, MAX_SERIES)
      .map(({ id, principal, resource, limit }) => ({
        principal,
        resource,
        limit,
        points: buckets.flatMap(({ at, bucket }) => {
          const remaining = bucket.remaining.get(id);
          return remaining === undefined ? [] : [{ at, remaining }];
        }),
      }));
  }
}

const OTHERS = -1;

function join(into: Bucket, other: Bucket): void {
  for (const [id, units] of other.units) into.units.set(id, (into.units.get(id) ?? 0) + units);
  for (const [id, remaining] of other.remaining) {
    into.remaining.set(id, Math.min(into.remaining.get(id) ?? remaining, remaining));
  }
  into.hidden += other.hidden;
  into.exchanges += other.exchanges;
  into.refused += other.refused;
}
