import type { EndedCall, Exchange } from "../observed.js";

/** What one agent (session, route, …) did and what it cost. */
export interface SpendRow {
  /** Undefined: the trace does not say who. */
  readonly name: string | undefined;
  readonly calls: number;
  readonly exchanges: number;
  /** Units of all resources. */
  readonly units: number;
  /** Of these, units of the GraphQL quota. */
  readonly graphqlUnits: number;
  /** Part of all units, 0 to 1. */
  readonly share: number;
  /** Units that squadRate with guards would have spared. */
  readonly sparedUnits: number;
  /** Free 304s. */
  readonly notModified: number;
  readonly refused: number;
  /** Requests without an answer, and answers of 500 and above. */
  readonly failed: number;
  /** Milliseconds that its calls waited, and that its requests took, in all. */
  readonly waitMs: number;
  readonly durationMs: number;
}

/** Rows by units, most first; what was not shown is added up in `others`. */
export interface SpendTable {
  readonly rows: readonly SpendRow[];
  readonly others: SpendRow | undefined;
  /** Names in `others`; at least, where there were too many to tell apart. */
  readonly othersCount: number;
}

type Counts = { -readonly [Name in Exclude<keyof SpendRow, "name" | "share">]: number };

/** Names that are told apart; what comes after goes to the others. */
const MAX_NAMES = 20_000;

/** Adds up exchanges and calls under names. */
export class Spend {
  readonly #byName = new Map<string | undefined, Counts>();
  readonly #overflow = noCounts();
  #overflowed = false;

  exchange(name: string | undefined, exchange: Exchange, sparedUnits: number): void {
    const counts = this.#countsOf(name);
    const { units = 0, outcome, status } = exchange;
    counts.exchanges++;
    counts.units += units;
    if (exchange.resource === "graphql") counts.graphqlUnits += units;
    counts.sparedUnits += sparedUnits;
    if (status === 304) counts.notModified++;
    if (outcome === "primary-limit" || outcome === "secondary-limit") counts.refused++;
    else if (exchange.isUnanswered || (status ?? 0) >= 500) counts.failed++;
    counts.durationMs += exchange.durationMs ?? 0;
  }

  /** Of a trace whose lines are calls and exchanges in one, each exchange is told of here too. */
  call(name: string | undefined, waitMs: number): void {
    const counts = this.#countsOf(name);
    counts.calls++;
    counts.waitMs += waitMs;
  }

  finish(maxRows: number): SpendTable {
    let total = this.#overflow.units;
    for (const { units } of this.#byName.values()) total += units;
    const sorted = [...this.#byName].sort(
      ([, a], [, b]) => b.units - a.units || b.exchanges - a.exchanges || b.calls - a.calls,
    );
    const rest = sorted.slice(maxRows);
    const others = { ...this.#overflow };
    for (const [, counts] of rest) addCounts(others, counts);
    const hasOthers = rest.length > 0 || this.#overflowed;
    return {
      rows: sorted.slice(0, maxRows).map(([name, counts]) => rowOf(name, counts, total)),
      others: hasOthers ? rowOf("(others)", others, total) : undefined,
      othersCount: rest.length + (this.#overflowed ? 1 : 0),
    };
  }

  #countsOf(name: string | undefined): Counts {
    let counts = this.#byName.get(name);
    if (counts !== undefined) return counts;
    if (this.#byName.size >= MAX_NAMES) {
      this.#overflowed = true;
      return this.#overflow;
    }
    counts = noCounts();
    this.#byName.set(name, counts);
    return counts;
  }
}

/** By what spending is told. */
export type SpendBy = "agents" | "sessions" | "routes" | "operations" | "machines" | "processes" | "resources";

/** The names that spending is told by. */
export const SPEND_BY: Readonly<Record<SpendBy, (of: Exchange | EndedCall) => string | undefined>> = {
  agents: ({ agent }) => agent,
  sessions: ({ session }) => session,
  routes: ({ route }) => route,
  operations: ({ operation }) => operation,
  machines: ({ machine }) => machine,
  processes: ({ process }) => process,
  resources: ({ resource }) => resource,
};

function noCounts(): Counts {
  return {
    calls: 0,
    exchanges: 0,
    units: 0,
    graphqlUnits: 0,
    sparedUnits: 0,
    notModified: 0,
    refused: 0,
    failed: 0,
    waitMs: 0,
    durationMs: 0,
  };
}

function addCounts(to: Counts, counts: Counts): void {
  for (const name of Object.keys(to) as (keyof Counts)[]) to[name] += counts[name];
}

function rowOf(name: string | undefined, counts: Counts, total: number): SpendRow {
  return { name, ...counts, share: total === 0 ? 0 : counts.units / total };
}
