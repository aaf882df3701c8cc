import type { SimulatedExchange } from "../github/exchange-log.js";
import type { ResourceName } from "../github/resource.js";
import type { FleetExchanges } from "./report.js";
import { NameTally, TimeTally } from "./times.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The measured time, epoch milliseconds. */
export interface MeasuredTime {
  readonly from: number;
  readonly to: number;
}

/** Adds up requests as they are answered, and keeps none. */
export class ExchangeTally {
  readonly #measured: MeasuredTime;
  readonly #units = new Map<ResourceName, number>();
  readonly #warmUpUnits = new Map<ResourceName, number>();
  readonly #minutes = new Map<number, number>();
  readonly #answers = new TimeTally();
  readonly #reasons = new NameTally();
  #all = 0;
  #count = 0;
  #graphql = 0;
  #reads = 0;
  #hits = 0;
  #notModified = 0;
  #misses = 0;
  #errors = 0;
  #primary = 0;
  #secondary = 0;
  #sentWhileBlocked = 0;
  #serverErrors = 0;

  constructor(measured: MeasuredTime) {
    this.#measured = measured;
  }

  /** Of the whole run. */
  get all(): number {
    return this.#all;
  }

  get measured(): number {
    return this.#count;
  }

  add(exchange: SimulatedExchange): void {
    const { startedAt, endedAt, resource, chargedUnits } = exchange;
    this.#all += 1;
    if (startedAt >= this.#measured.to) return;
    const isWarmUp = startedAt < this.#measured.from;
    const units = isWarmUp ? this.#warmUpUnits : this.#units;
    units.set(resource, (units.get(resource) ?? 0) + chargedUnits);
    if (isWarmUp) return;
    this.#count += 1;
    this.#answers.add(endedAt - startedAt);
    if (resource === "graphql") this.#graphql += 1;
    const minute = Math.floor((startedAt - this.#measured.from) / MINUTE_MS);
    this.#minutes.set(minute, (this.#minutes.get(minute) ?? 0) + 1);
    this.#judge(exchange);
  }

  figures(): FleetExchanges {
    const ms = this.#measured.to - this.#measured.from;
    const perHour = [...this.#units].map(([name, units]) => [name, (units * HOUR_MS) / ms] as const);
    return {
      count: this.#count,
      perMinute: (this.#count * MINUTE_MS) / ms,
      busiestMinute: Math.max(0, ...this.#minutes.values()),
      graphql: this.#graphql,
      unitsPerHour: Object.fromEntries(perHour),
      warmUpUnits: Object.fromEntries(this.#warmUpUnits),
      answers: this.#answers.times(),
      conditional: {
        reads: this.#reads,
        hits: this.#hits,
        misses: this.#misses,
        errors: this.#errors,
        hitShare: this.#reads === 0 ? 0 : this.#notModified / this.#reads,
      },
      refused: {
        primary: this.#primary,
        secondary: this.#secondary,
        secondaryReasons: this.#reasons.counts(),
        sentWhileBlocked: this.#sentWhileBlocked,
      },
      serverErrors: this.#serverErrors,
    };
  }

  #judge({ method, status, conditional, refusedBy, sentWhileBlocked, secondaryReason }: SimulatedExchange): void {
    if (sentWhileBlocked) this.#sentWhileBlocked += 1;
    if (refusedBy === "primary") this.#primary += 1;
    if (refusedBy === "secondary") {
      this.#secondary += 1;
      this.#reasons.add(secondaryReason ?? "scripted");
    }
    if (status >= 500) this.#serverErrors += 1;
    if (method !== "GET" || refusedBy !== undefined) return;
    this.#reads += 1;
    if (status === 304) this.#notModified += 1;
    if (conditional === "none") return;
    if (status === 304) this.#hits += 1;
    else if (status < 400) this.#misses += 1;
    else this.#errors += 1;
  }
}
