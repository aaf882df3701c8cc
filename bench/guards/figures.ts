import type { SimulatedExchange } from "../../src/sim/github/exchange-log.js";

/** What one run comes to in the measured time; what is wrong with polls is counted from the first on. */
export interface Figures {
  /** GraphQL units of the warm-up. */
  readonly firstUnits: number;
  readonly graphqlUnitsPerHour: number;
  /** Refused requests are charged too. */
  readonly restUnitsPerHour: number;
  readonly callsPerMinute: number;
  /** Reads that GitHub answered with a free 304, of all that it did not refuse, 0 to 1. */
  readonly notModified: number;
  /** How often values were produced for which GraphQL was asked. */
  readonly produced: number;
  /** GraphQL queries. */
  readonly queries: number;
  /** Requests that a rate limit refused; squads wait and send again. */
  readonly refused: number;
  /** Polls of sessions. */
  readonly polls: number;
  /** Polls that failed. */
  readonly failed: number;
  /** From one poll of a session to its next, in the mean. */
  readonly cycleMs: number;
  /** Needs that were not met, by name: what a session was given had not been so at any moment of its poll. */
  readonly violations: Readonly<Record<string, number>>;
}

/** What was charged and sent from `from` on, of `forMs`. */
export function countExchanges(
  log: readonly SimulatedExchange[],
  from: number,
  forMs: number,
): Pick<
  Figures,
  "firstUnits" | "graphqlUnitsPerHour" | "restUnitsPerHour" | "callsPerMinute" | "notModified" | "queries" | "refused"
> {
  const measured = log.filter(({ startedAt }) => startedAt >= from && startedAt < from + forMs);
  const first = log.filter(({ startedAt, resource }) => startedAt < from && resource === "graphql");
  const graphql = measured.filter(({ resource }) => resource === "graphql");
  const reads = measured.filter(({ method }) => method === "GET");
  const answered = reads.filter(({ refusedBy }) => refusedBy === undefined);
  const hours = forMs / 3_600_000;
  return {
    firstUnits: units(first),
    graphqlUnitsPerHour: units(graphql) / hours,
    restUnitsPerHour: units(reads) / hours,
    callsPerMinute: measured.length / (60 * hours),
    notModified: answered.filter(({ status }) => status === 304).length / answered.length,
    queries: graphql.length,
    refused: measured.filter(({ refusedBy }) => refusedBy !== undefined).length,
  };
}

function units(exchanges: readonly SimulatedExchange[]): number {
  return exchanges.reduce((sum, { chargedUnits }) => sum + chargedUnits, 0);
}
