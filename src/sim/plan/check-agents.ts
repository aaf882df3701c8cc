import { checkPriority, checkRecord, checkShare, optionError, requireChoice } from "../../options/check.js";
import type { FleetWork } from "../fleet/scenario.js";
import { type AmountBounds, checkAmount, requireAmount } from "./check-amount.js";
import type { CheckedAgents, CheckedWatch, CheckedWorkload } from "./checked-scenario.js";
import type { PlanAgents, PlanWorkload } from "./scenario.js";

type Keys<T> = Readonly<Record<keyof T, true>>;

const AGENTS_KEYS: Keys<PlanAgents> = {
  name: true,
  count: true,
  priority: true,
  fromMs: true,
  untilMs: true,
  work: true,
};
const WATCH_KEYS: Keys<Extract<FleetWork, { kind: "watch" }>> = {
  kind: true,
  everyMs: true,
  start: true,
  perRepository: true,
  ownCallsPerChange: true,
};
const CALLS_KEYS: Keys<Extract<FleetWork, { kind: "calls" }>> = {
  kind: true,
  perHour: true,
  unchanged: true,
  writes: true,
  graphql: true,
  maxWaitMs: true,
};
const WORKLOAD_KEYS: Keys<PlanWorkload> = {
  kind: true,
  readsPerHour: true,
  unchanged: true,
  writesPerHour: true,
  contentWritesPerHour: true,
  searchesPerHour: true,
  queriesPerHour: true,
  unitsPerQuery: true,
};
const KEYS_OF = { watch: WATCH_KEYS, calls: CALLS_KEYS, workload: WORKLOAD_KEYS } as const;
const KINDS = ["watch", "calls", "workload"] as const;

const COUNT: AmountBounds = { max: 100_000, unit: "agents", whole: true };
const DEFAULT_PRIORITY = 1;

/** Agents alike, checked; `busiestEndpoint` is the share of a workload that goes to one endpoint. */
export function checkAgents(path: string, given: unknown, busiestEndpoint: number): CheckedAgents {
  const group = checkRecord(path, given, Object.keys(AGENTS_KEYS));
  return {
    count: requireAmount(`${path}.count`, group.count, COUNT),
    priority: checkPriority(`${path}.priority`, group.priority, DEFAULT_PRIORITY),
    work: checkWork(`${path}.work`, group.work, busiestEndpoint),
  };
}

function checkWork(path: string, given: unknown, busiestEndpoint: number): CheckedWatch | CheckedWorkload {
  const kindOf = (given as { readonly kind?: unknown } | null | undefined)?.kind;
  const kind = requireChoice(`${path}.kind`, kindOf, KINDS);
  const work = checkRecord(path, given, Object.keys(KEYS_OF[kind]));
  switch (kind) {
    case "watch":
      return checkWatch(path, work);
    case "calls":
      return checkCalls(path, work);
    case "workload":
      return checkWorkload(path, work, busiestEndpoint);
  }
}

function checkWatch(path: string, work: Readonly<Record<string, unknown>>): CheckedWatch {
  const every: AmountBounds = { min: 1, unit: "milliseconds" };
  const agents: AmountBounds = { min: 1, max: 100_000, unit: "agents", whole: true };
  return {
    kind: "watch",
    everyMs: checkAmount(`${path}.everyMs`, work.everyMs, every, 30_000),
    perRepository: checkAmount(`${path}.perRepository`, work.perRepository, agents, 10),
    ownCallsPerChange: checkAmount(
      `${path}.ownCallsPerChange`,
      work.ownCallsPerChange,
      { unit: "calls", whole: true },
      0,
    ),
  };
}

/** Calls are a workload said in another way. */
function checkCalls(path: string, work: Readonly<Record<string, unknown>>): CheckedWorkload {
  const perHour = requireAmount(`${path}.perHour`, work.perHour, { unit: "calls" });
  const unchanged = checkShare(`${path}.unchanged`, work.unchanged, 0);
  const writes = checkShare(`${path}.writes`, work.writes, 0);
  const graphql = checkShare(`${path}.graphql`, work.graphql, 0);
  const shares = unchanged + writes + graphql;
  // What is meant to be 1 may be a little more in binary.
  if (shares > 1 + 1e-9) {
    throw optionError(
      `${path}: unchanged + writes + graphql`,
      "at most 1",
      shares,
      "They are shares of one agent's calls.",
    );
  }
  const reads = Math.max(0, 1 - writes - graphql);
  return {
    kind: "workload",
    readsPerHour: perHour * reads,
    unchanged: reads === 0 ? 0 : Math.min(1, unchanged / reads),
    writesPerHour: perHour * writes,
    contentWritesPerHour: perHour * writes,
    searchesPerHour: 0,
    queriesPerHour: perHour * graphql,
    unitsPerQuery: 1,
    // As in the fleet: reads that find something new go to three endpoints in turn, all else to one.
    busiestRead: reads === 0 ? 0 : (unchanged + (reads - unchanged) / 3) / reads,
    busiestWrite: 1,
  };
}

function checkWorkload(
  path: string,
  work: Readonly<Record<string, unknown>>,
  busiestEndpoint: number,
): CheckedWorkload {
  const amount = (name: keyof PlanWorkload, unit: string): number =>
    checkAmount(`${path}.${name}`, work[name], { unit }, 0);
  const writesPerHour = amount("writesPerHour", "writes");
  const contentPath = `${path}.contentWritesPerHour`;
  const content: AmountBounds = { max: writesPerHour, unit: `writes (there are ${writesPerHour})` };
  return {
    kind: "workload",
    readsPerHour: amount("readsPerHour", "reads"),
    unchanged: checkShare(`${path}.unchanged`, work.unchanged, 0),
    writesPerHour,
    contentWritesPerHour: checkAmount(contentPath, work.contentWritesPerHour, content, writesPerHour),
    searchesPerHour: amount("searchesPerHour", "searches"),
    queriesPerHour: amount("queriesPerHour", "queries"),
    unitsPerQuery: checkAmount(`${path}.unitsPerQuery`, work.unitsPerQuery, { unit: "units" }, 1),
    busiestRead: busiestEndpoint,
    busiestWrite: busiestEndpoint,
  };
}
