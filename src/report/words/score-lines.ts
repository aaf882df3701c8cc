import type { Report } from "../report.js";
import { count, nameOf, rate, share, span } from "./format.js";

/** One figure of the scorecard. */
export interface ScoreLine {
  readonly label: string;
  readonly value: string;
  /** What puts it in proportion. */
  readonly remark: string;
}

/** The scorecard in words, the same in a terminal as on a page. */
export function scoreLines({ scorecard: score, brackets }: Report): readonly ScoreLine[] {
  const { conditional, refusals, opaque, durations, cache } = score;
  const rest = straddles(score.resetsInside.rest);
  const graphql = straddles(score.resetsInside.graphql);
  const lines: ScoreLine[] = [
    {
      label: "Calls",
      value: count(score.calls),
      remark: `${rate(score.callsPerMinute)} a minute; ${count(score.callsFailed)} failed, ${count(score.callsRefusedUnsent)} of them refused unsent`,
    },
    {
      label: "REST requests",
      value: count(score.restRequests),
      remark: `${rate(score.restRequestsPerHour)} an hour${rest}`,
    },
    {
      label: "REST units",
      value: count(score.restUnits),
      remark: `${rate(score.restUnitsPerHour)} an hour${rest}`,
    },
    {
      label: "GraphQL units",
      value: count(score.graphqlUnits),
      remark: `${rate(score.graphqlUnitsPerHour)} an hour, by ${count(score.graphqlRequests)} ${score.graphqlRequests === 1 ? "request" : "requests"}${graphql}`,
    },
    { label: "GraphQL batches", value: count(score.batches), remark: "GraphQL requests that cost more than one unit" },
    {
      label: "Unexplained units",
      value: count(score.hiddenUnits),
      remark: `${share(score.hiddenShare)} of what headers showed used since the trace began`,
    },
    {
      label: "Guard 304s",
      value: count(conditional.notModified),
      remark: `of ${count(conditional.sent)} conditional reads (${share(ratio(conditional.notModified, conditional.sent))}); ${count(conditional.changed)} had changed, ${count(conditional.errors)} failed`,
    },
    {
      label: "Answered unsent",
      value: count(cache.shared + cache.fresh + cache.stale),
      remark: `${count(cache.shared)} shared, ${count(cache.fresh)} fresh, ${count(cache.stale)} stale`,
    },
    {
      label: "Wasted units",
      value: count(score.wasted.units),
      remark: `by ${count(score.wasted.exchanges)} refused requests and repeats of what had not changed`,
    },
    {
      label: "Refusals",
      value: count(refusals.primary + refusals.secondary),
      remark: `${count(refusals.primary)} primary, ${count(refusals.secondary)} secondary; ${count(refusals.sentWhileBlocked)} sent while blocked`,
    },
    {
      label: "Opaque requests",
      value: share(opaque.share),
      remark: `${count(opaque.noAgent)} without an agent, ${count(opaque.noRoute)} without a route, ${count(opaque.noCost)} without a cost`,
    },
    {
      label: "Answers took",
      value: span(durations.all?.p50Ms),
      remark: `p50; p95 ${span(durations.all?.p95Ms)}, p99 ${span(durations.all?.p99Ms)}, longest ${span(durations.all?.maxMs)}`,
    },
  ];
  for (const bracket of brackets.slice(0, 6)) {
    const resets = bracket.resetsInside > 0 ? `, at least: ${resetsOf(bracket.resetsInside)} inside` : "";
    lines.push({
      label: `Bracket, ${nameOf(bracket.resource).slice(0, 20)}`,
      value: count(bracket.usedUnits),
      remark: `used between ${count(bracket.readings)} readings of /rate_limit${resets}; traced ${count(bracket.chargedUnits)}`,
    });
  }
  return lines;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Sums hold all the same; differences of counters do not. */
function straddles(resets: number): string {
  return resets === 0 ? "" : `; straddles ${resetsOf(resets)}`;
}

function resetsOf(resets: number): string {
  return `${count(resets)} ${resets === 1 ? "reset" : "resets"}`;
}
