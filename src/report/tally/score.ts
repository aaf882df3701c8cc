import type { CacheOutcome } from "../../call/cache-outcome.js";
import type { Priority } from "../../policy/light.js";
import { Histogram, type Percentiles } from "../histogram.js";
import type { EndedCall, Exchange } from "../observed.js";

/** How calls of one priority waited. */
export interface ClassWait {
  /** Undefined: the trace does not say. */
  readonly priority: Priority | undefined;
  readonly calls: number;
  readonly waited: number;
  readonly wait: Percentiles | undefined;
}

/** Conditional reads: those that carried a validator. */
export interface ConditionalReads {
  readonly sent: number;
  /** Answered 304: free. */
  readonly notModified: number;
  /** Answered with something new. */
  readonly changed: number;
  /** Refused, failed, or not answered. */
  readonly errors: number;
}

/** Exchanges of which somebody who reads the trace cannot say who sent what, or what it cost. */
export interface Opaque {
  readonly exchanges: number;
  /** Of all exchanges, 0 to 1. */
  readonly share: number;
  readonly noAgent: number;
  /** Neither route nor operation. */
  readonly noRoute: number;
  readonly noCost: number;
}

/** What is counted without looking at anything else. */
export interface Counted {
  /** Of a trace without records of calls: first attempts. */
  readonly calls: number;
  readonly callsFailed: number;
  readonly callsRefusedUnsent: number;
  readonly exchanges: number;
  readonly restRequests: number;
  readonly graphqlRequests: number;
  readonly units: number;
  readonly restUnits: number;
  readonly graphqlUnits: number;
  /** GraphQL requests that cost more than one unit. */
  readonly batches: number;
  readonly conditional: ConditionalReads;
  readonly opaque: Opaque;
  readonly cache: Readonly<Record<CacheOutcome | "other", number>>;
  readonly durations: {
    readonly all: Percentiles | undefined;
    readonly rest: Percentiles | undefined;
    readonly graphql: Percentiles | undefined;
    /** From a call's beginning to its end, waits included. */
    readonly calls: Percentiles | undefined;
  };
  readonly waits: readonly ClassWait[];
}

/** Counts exchanges and calls. */
export class Score {
  readonly #cache: Record<CacheOutcome | "other", number> = {
    miss: 0,
    changed: 0,
    revalidated: 0,
    shared: 0,
    fresh: 0,
    stale: 0,
    other: 0,
  };
  readonly #durations = {
    all: new Histogram(),
    rest: new Histogram(),
    graphql: new Histogram(),
    calls: new Histogram(),
  };
  readonly #waits = new Map<Priority | undefined, { histogram: Histogram; waited: number }>();
  readonly #counts = {
    calls: 0,
    callsFailed: 0,
    callsRefusedUnsent: 0,
    exchanges: 0,
    graphqlRequests: 0,
    units: 0,
    graphqlUnits: 0,
    batches: 0,
  };
  readonly #conditional = { sent: 0, notModified: 0, changed: 0, errors: 0 };
  #firstAttempts = 0;
  readonly #opaque = { exchanges: 0, noAgent: 0, noRoute: 0, noCost: 0 };

  exchange(exchange: Exchange): void {
    const { api, units = 0, durationMs } = exchange;
    const counts = this.#counts;
    counts.exchanges++;
    if (exchange.attempt === 1) this.#firstAttempts++;
    counts.units += units;
    if (exchange.resource === "graphql") counts.graphqlUnits += units;
    if (api === "graphql") {
      counts.graphqlRequests++;
      if (units > 1) counts.batches++;
    }
    if (durationMs !== undefined && exchange.status !== undefined) {
      this.#durations.all.add(durationMs);
      this.#durations[api].add(durationMs);
    }
    this.#condition(exchange);
    this.#lookInto(exchange);
  }

  call(call: EndedCall): void {
    this.#counts.calls++;
    if (!call.ok) this.#counts.callsFailed++;
    if (!call.ok && call.attempts === 0 && call.decision === "refuse") this.#counts.callsRefusedUnsent++;
    this.#cache[call.cache ?? "other"]++;
    this.#durations.calls.add(call.durationMs);
    this.#wait(call.priority, call.waitMs);
  }

  /** Of a trace that has no calls: each request was one. */
  callOf(exchange: Exchange): void {
    this.#counts.calls++;
    if (exchange.isUnanswered || (exchange.status ?? 0) >= 400) this.#counts.callsFailed++;
    this.#cache[exchange.status === 304 ? "revalidated" : "other"]++;
    if (exchange.waitMs !== undefined) this.#wait(exchange.priority, exchange.waitMs);
  }

  finish(): Counted {
    const { exchanges, units, graphqlUnits, graphqlRequests } = this.#counts;
    return {
      ...this.#counts,
      calls: this.#counts.calls === 0 ? this.#firstAttempts : this.#counts.calls,
      restRequests: exchanges - graphqlRequests,
      restUnits: units - graphqlUnits,
      conditional: { ...this.#conditional },
      opaque: { ...this.#opaque, share: exchanges === 0 ? 0 : this.#opaque.exchanges / exchanges },
      cache: { ...this.#cache },
      durations: {
        all: this.#durations.all.percentiles(),
        rest: this.#durations.rest.percentiles(),
        graphql: this.#durations.graphql.percentiles(),
        calls: this.#durations.calls.percentiles(),
      },
      waits: [...this.#waits]
        .map(([priority, { histogram, waited }]) => ({
          priority,
          calls: histogram.count,
          waited,
          wait: histogram.percentiles(),
        }))
        .sort((a, b) => (a.priority ?? 9) - (b.priority ?? 9)),
    };
  }

  #condition({ validator, status, outcome }: Exchange): void {
    if (validator === undefined && status !== 304) return;
    this.#conditional.sent++;
    if (status === 304) this.#conditional.notModified++;
    else if (status !== undefined && status < 400 && !outcome?.endsWith("-limit")) this.#conditional.changed++;
    else this.#conditional.errors++;
  }

  #lookInto({ agent, route, operation, isCostKnown }: Exchange): void {
    const opaque = this.#opaque;
    const noRoute = route === undefined && operation === undefined;
    if (agent === undefined) opaque.noAgent++;
    if (noRoute) opaque.noRoute++;
    if (!isCostKnown) opaque.noCost++;
    if (agent === undefined || noRoute || !isCostKnown) opaque.exchanges++;
  }

  #wait(priority: Priority | undefined, waitMs: number): void {
    let waits = this.#waits.get(priority);
    if (waits === undefined) {
      waits = { histogram: new Histogram(), waited: 0 };
      this.#waits.set(priority, waits);
    }
    waits.histogram.add(waitMs);
    // Less is the time that asking for a permit takes.
    if (waitMs >= 1) waits.waited++;
  }
}
