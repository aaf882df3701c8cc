import { type Change, type PollRead, pollReads } from "./poll-reads.js";
import { repositoriesOf } from "./repositories.js";
import type { Watching } from "./watching.js";

/** What the reads of all polls come to in an hour. */
export interface ReadDemand {
  readonly requests: number;
  readonly units: number;
  readonly byRoute: Readonly<Record<string, number>>;
}

/**
 * The reads that are made in every poll. One that says something new is charged one unit, however much has changed. With
 * changes as even as can be, which cost most, `m` of them from poll to poll show in the part `m` of all polls, or in all.
 */
export function readDemand({
  agents,
  watch,
  polls,
  conditional,
  pollsPerHour,
  changesPerPoll,
  assume,
}: Watching): ReadDemand {
  const shareOf: Readonly<Record<Change, number>> = {
    push: assume.pushes,
    comment: assume.comments,
    check: 1 - assume.pushes - assume.comments,
  };
  const shares = (changes: readonly Change[]): number => changes.reduce((sum, change) => sum + shareOf[change], 0);
  const byRoute: Record<string, number> = {};
  let requests = 0;
  let units = 0;
  for (const repositories of repositoriesOf(agents, watch.perRepository)) {
    for (const read of pollReads(polls)) {
      const sent = repositories.count * timesRead(read, repositories.agents) * pollsPerHour;
      const showing = changesPerPoll * (shares(read.own) + repositories.agents * shares(read.anybodys));
      requests += sent;
      units += conditional ? sent * Math.min(1, showing) : sent;
      byRoute[read.route] = (byRoute[read.route] ?? 0) + sent;
    }
  }
  return { requests, units, byRoute };
}

function timesRead({ per }: PollRead, agents: number): number {
  return per === "repository" ? 1 : agents;
}
