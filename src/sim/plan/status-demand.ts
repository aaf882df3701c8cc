import { LOOKS_PER_QUERY } from "./looks.js";
import { pollGroups } from "./poll-groups.js";
import type { Watching } from "./watching.js";

/** What is asked for in an hour besides the reads of every poll. */
export interface StatusDemand {
  /** GraphQL queries of every poll, and those for statuses. */
  readonly looks: number;
  readonly produced: number;
  /** GraphQL units of both. */
  readonly units: number;
  /** Reads of pull requests that have changed. */
  readonly changedReads: number;
}

const HOUR_MS = 3_600_000;
const STATUSES_PER_QUERY = 25;

/** Statuses that each agent asks for, or has asked for, by itself. */
export function statusDemand({ agents, conditional, pollsPerHour, changesPerPoll, assume }: Watching): StatusDemand {
  const perPoll = conditional ? producedPerPoll(changesPerPoll, pollsPerHour, assume.guardMaxAgeMs) : 1;
  const produced = agents * pollsPerHour * perPoll;
  return { looks: 0, produced, units: produced * assume.statusUnits, changedReads: 0 };
}

/**
 * How often a guarded status is asked for: after a change, and when the last one has become too old. With the chance `q` of
 * a change from poll to poll, and too old after `k` polls, that is every `(1 - (1 - q)^k) / q` polls in the mean.
 */
export function producedPerPoll(changesPerPoll: number, pollsPerHour: number, maxAgeMs: number): number {
  const polls = Math.max(1, Math.ceil((maxAgeMs * pollsPerHour) / HOUR_MS));
  const changed = Math.min(1, changesPerPoll);
  return changed === 0 ? 1 / polls : changed / -Math.expm1(polls * Math.log1p(-changed));
}

/** One look at all, and those that have changed read and asked for, 25 in a query. */
export function togetherDemand(watching: Watching): StatusDemand {
  const { pollsPerHour, changesPerPoll, assume } = watching;
  const changed = Math.min(1, changesPerPoll);
  const demand = { looks: 0, produced: 0, units: 0, changedReads: 0 };
  for (const { count, agents } of pollGroups(watching)) {
    const polls = count * pollsPerHour;
    const looks = Math.ceil(agents / LOOKS_PER_QUERY);
    const batches = batchesFor(agents, changed, assume.statusUnits);
    demand.looks += polls * looks;
    demand.produced += polls * batches.queries;
    demand.units += polls * (looks + batches.units);
    demand.changedReads += polls * agents * changed;
  }
  return demand;
}

interface Batches {
  readonly queries: number;
  readonly units: number;
}

/** What batches come to in the mean, where each of `agents` has changed with the chance `q`: as even as changes come. */
function batchesFor(agents: number, q: number, statusUnits: number): Batches {
  const mean = agents * q;
  return {
    queries: around(mean, agents, (changed) => Math.ceil(changed / STATUSES_PER_QUERY)),
    units: around(mean, agents, (changed) => unitsOf(changed, statusUnits)),
  };
}

/** The mean of `of` over whole numbers near `mean`: where there are several changes, one more or less comes in every other poll. */
function around(mean: number, most: number, of: (changed: number) => number): number {
  const at = (changed: number): number => {
    const within = Math.min(changed, most);
    const below = Math.floor(within);
    const part = within - below;
    return (1 - part) * of(below) + (part === 0 ? 0 : part * of(below + 1));
  };
  const beside = Math.min(1, Math.max(0, mean - 1)) / 4;
  return (1 - 2 * beside) * at(mean) + (beside === 0 ? 0 : beside * (at(mean - 1) + at(mean + 1)));
}

/** 25 in one query are 18 units, where one alone is rounded up to 1. */
const BATCHED = 0.71;

function unitsOf(statuses: number, statusUnits: number): number {
  const rest = statuses % STATUSES_PER_QUERY;
  const full = (statuses - rest) / STATUSES_PER_QUERY;
  const of = (count: number): number => (count === 0 ? 0 : Math.max(1, Math.round(BATCHED * count * statusUnits)));
  return full * of(STATUSES_PER_QUERY) + of(rest);
}
