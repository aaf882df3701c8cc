import type { FleetReport, FleetTimes } from "../../../sim/index.js";
import type { Output } from "../../context.js";
import type { Paint } from "../../show/paint.js";
import { table, tableWidth } from "../../show/table.js";
import type { FleetFlags } from "./fleet-flags.js";

/** A figure of the scorecard. */
interface Figure {
  readonly name: string;
  readonly value: string;
  readonly remark: string;
}

/** A fleet's scorecard: what it cost, how it fared, and which limits it filled. */
export function fleetLines(report: FleetReport, flags: FleetFlags, output: Output, paint: Paint): readonly string[] {
  const { sessions, minutes, workload, client, processes, seed } = flags;
  const where = processes === 1 ? "one process" : `${count(processes)} processes`;
  const look = { width: tableWidth(output), heading: paint.dim };
  return [
    paint.bold(`${count(sessions)} sessions in ${where}, ${client}, ${workload}, ${count(minutes)} min (seed ${seed})`),
    "",
    ...table(
      [
        { title: "", of: (one) => one.name },
        { title: "", align: "right", of: (one) => one.value },
        { title: "", of: (one) => one.remark },
      ],
      figures(report, paint),
      look,
    ),
    "",
    ...table(
      [
        { title: "limit", of: (one) => one.limit },
        { title: "at its fullest", align: "right", of: ({ share }) => fullness(share, paint) },
      ],
      report.limits.filter(({ share }) => share > 0),
      look,
    ),
  ];
}

function figures({ exchanges, polls, calls }: FleetReport, paint: Paint): readonly Figure[] {
  const { conditional, refused, unitsPerHour } = exchanges;
  const unmet = Object.values(polls.unmet).reduce((sum, one) => sum + one, 0) + calls.stale;
  const bad = (value: number): string => (value > 0 ? paint.red(count(value)) : count(value));
  const ofCalls: Figure = {
    name: "own calls",
    value: count(calls.all.made),
    remark: `${count(calls.all.failed)} failed; an answer took ${spread(calls.all.took)}`,
  };
  return [
    { name: "REST units", value: rate(unitsPerHour.core ?? 0), remark: "an hour" },
    { name: "GraphQL units", value: rate(unitsPerHour.graphql ?? 0), remark: "an hour" },
    {
      name: "requests",
      value: rate(exchanges.perMinute),
      remark: `a minute, ${count(exchanges.busiestMinute)} in the busiest`,
    },
    { name: "304s", value: percent(conditional.hitShare), remark: `of ${count(conditional.reads)} reads` },
    {
      name: "refused",
      value: bad(refused.primary + refused.secondary),
      remark: `${count(refused.primary)} by primary, ${count(refused.secondary)} by secondary limits`,
    },
    {
      name: "polls",
      value: count(polls.count),
      remark: `${count(polls.failed)} failed; one every ${spread(polls.cycle)}, asked for every ${seconds(polls.targetMs)}`,
    },
    { name: "stale answers", value: bad(unmet), remark: "that were never so while they were asked for" },
    ...(calls.all.made === 0 ? [] : [ofCalls]),
  ];
}

const NEARLY_FULL = 0.9;

function fullness(share: number, paint: Paint): string {
  if (share >= 1) return paint.red(percent(share));
  return share >= NEARLY_FULL ? paint.yellow(percent(share)) : percent(share);
}

function spread({ meanMs, p99Ms }: FleetTimes): string {
  return meanMs === p99Ms ? seconds(meanMs) : `${seconds(meanMs)} (p99 ${seconds(p99Ms)})`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toLocaleString("en-US", { maximumFractionDigits: 1 })} s`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function rate(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: value >= 100 ? 0 : 1 });
}

function percent(share: number): string {
  return `${(100 * share).toLocaleString("en-US", { maximumFractionDigits: 1 })} %`;
}
