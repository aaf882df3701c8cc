import { LOOKS_PER_QUERY } from "./looks.js";
import type { Watching } from "./watching.js";

/** Agents that are polled for together. */
export interface PollGroup {
  readonly count: number;
  readonly repositories: number;
  /** In each group, in the mean. */
  readonly agents: number;
}

/** Whole repositories, as many as fit into one look; spread over processes evenly. */
export function pollGroups({ agents, watch, processes }: Watching): readonly PollGroup[] {
  const repositories = Math.ceil(agents / watch.perRepository);
  const perRepository = Math.min(agents, watch.perRepository);
  const perGroup = Math.max(1, Math.floor(LOOKS_PER_QUERY / perRepository));
  const mean = agents / repositories;
  const groupsOf = (count: number, ofProcess: number): readonly PollGroup[] => {
    const rest = ofProcess % perGroup;
    return [
      { count: (count * (ofProcess - rest)) / perGroup, repositories: perGroup, agents: perGroup * mean },
      { count: rest === 0 ? 0 : count, repositories: rest, agents: rest * mean },
    ];
  };
  const fewer = Math.floor(repositories / processes);
  const withOneMore = repositories % processes;
  return [...groupsOf(withOneMore, fewer + 1), ...groupsOf(processes - withOneMore, fewer)].filter(
    ({ count }) => count > 0,
  );
}
