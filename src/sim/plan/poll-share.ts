import { pollGroups } from "./poll-groups.js";
import { pollReads } from "./poll-reads.js";
import { producedPerPoll, togetherDemand } from "./status-demand.js";
import type { Watching } from "./watching.js";

const HOUR_MS = 3_600_000;

/** The time that the longest poll takes, its requests one after the other, as a part of the time until the next. */
export function pollShare(watching: Watching): number {
  const { pollsPerHour, assume, agents } = watching;
  const { rest, queries } = agents === 0 ? { rest: 0, queries: 0 } : longestPoll(watching);
  return ((rest * assume.restAnswerMs + queries * assume.graphqlAnswerMs) * pollsPerHour) / HOUR_MS;
}

interface PollRequests {
  readonly rest: number;
  readonly queries: number;
}

function longestPoll(watching: Watching): PollRequests {
  const { agents, watch, polls, conditional, pollsPerHour, changesPerPoll, assume } = watching;
  const reads = pollReads(polls).length;
  if (polls === "together") {
    const group = pollGroups(watching).reduce((most, one) => (one.agents > most.agents ? one : most));
    // The fullest group by itself, and its repositories as full as they may be.
    const full = Math.min(agents, group.repositories * watch.perRepository);
    const alone = togetherDemand({ ...watching, agents: full, processes: 1 });
    const ofPolls = (perHour: number): number => perHour / pollsPerHour;
    return {
      rest: reads * group.repositories + ofPolls(alone.changedReads),
      queries: ofPolls(alone.looks + alone.produced),
    };
  }
  const statuses = conditional ? producedPerPoll(changesPerPoll, pollsPerHour, assume.guardMaxAgeMs) : 1;
  if (polls === "agent") return { rest: reads, queries: statuses };
  const neighbours = Math.min(agents, watch.perRepository);
  return { rest: 1 + (reads - 1) * neighbours, queries: neighbours * statuses };
}
