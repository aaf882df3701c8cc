import type { FleetLimit, FleetReport } from "../../src/sim/fleet/report.js";

/** What a fleet that watches comes to. */
export interface WatchFigures {
  readonly graphqlPerHour: number;
  readonly restPerHour: number;
  readonly perMinute: number;
  /** From a poll of a session to its next, as a multiple of what it should be. */
  readonly cycle: number;
  /** Free 304s among conditional reads, 0 to 1; undefined where none was conditional. */
  readonly guardHits: number | undefined;
  readonly refusedPrimary: number;
  readonly refusedSecondary: number;
  readonly sentWhileBlocked: number;
  /** Of polls that failed, 0 to 1. */
  readonly failed: number;
  /** Needs that were met with what had not been so during the poll. */
  readonly unmet: number;
  readonly answerP50Ms: number;
  readonly answerP99Ms: number;
  /** Of the calls that polls consist of, waits included. */
  readonly callP99Ms: number;
  readonly fullest: FleetLimit | undefined;
}

export function watchFigures({ exchanges, polls, calls, limits }: FleetReport): WatchFigures {
  const { conditional, refused, unitsPerHour, answers } = exchanges;
  const asked = conditional.hits + conditional.misses + conditional.errors;
  return {
    graphqlPerHour: unitsPerHour.graphql ?? 0,
    restPerHour: unitsPerHour.core ?? 0,
    perMinute: exchanges.perMinute,
    cycle: polls.cycle.meanMs / polls.targetMs,
    guardHits: asked === 0 ? undefined : conditional.hits / asked,
    refusedPrimary: refused.primary,
    refusedSecondary: refused.secondary,
    sentWhileBlocked: refused.sentWhileBlocked,
    failed: polls.count === 0 ? 0 : polls.failed / polls.count,
    unmet: sum(Object.values(polls.unmet)),
    answerP50Ms: answers.p50Ms,
    answerP99Ms: answers.p99Ms,
    callP99Ms: calls.ofPolls.p99Ms,
    fullest: limits[0],
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
