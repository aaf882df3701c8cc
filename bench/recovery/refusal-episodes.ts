import type { Observation, ObservedExchange, Refusal } from "./observation.js";

/** Refusals that belong together: of one exhausted window, or of one secondary limit while it stands. */
export interface Episode {
  readonly by: Refusal;
  /** When the first of these answers arrived: from then on somebody knew. */
  readonly toldAt: number;
  /** Sent later than that, while it stood. */
  readonly sentAfter: readonly ObservedExchange[];
  /** How many of those came from a process that had been answered one of these refusals itself. */
  readonly sentThoughTold: number;
}

/**
 * All episodes of a run. While a secondary limit stands GitHub refuses whatever it covers, so what was sent into it is
 * what was refused, and where a new one begins is seen by who broke it, or by when it struck.
 */
export function refusalEpisodes({
  exchanges,
  struckAt,
}: Pick<Observation, "exchanges" | "struckAt">): readonly Episode[] {
  const refused = exchanges.filter(({ refusedBy }) => refusedBy !== undefined).sort((a, b) => a.id - b.id);
  const groups: ObservedExchange[][] = [];
  const windows = new Map<string, ObservedExchange[]>();
  const standing = new Map<Refusal, ObservedExchange[]>();
  const begin = (exchange: ObservedExchange): ObservedExchange[] => {
    const group = [exchange];
    groups.push(group);
    return group;
  };
  for (const exchange of refused) {
    const by = exchange.refusedBy as Refusal;
    if (by === "primary") {
      const key = `${exchange.resource} ${exchange.resetAt}`;
      const group = windows.get(key);
      if (group === undefined) windows.set(key, begin(exchange));
      else group.push(exchange);
      continue;
    }
    const group = standing.get(by);
    const last = group?.at(-1);
    const isNew =
      last === undefined ||
      exchange.breaksLimit ||
      struckAt.some((atMs) => atMs > last.startedAt && atMs <= exchange.startedAt);
    if (isNew) standing.set(by, begin(exchange));
    else group?.push(exchange);
  }
  return groups.map(episodeOf);
}

function episodeOf(group: readonly ObservedExchange[]): Episode {
  const by = (group[0] as ObservedExchange).refusedBy as Refusal;
  const told = new Map<number, number>();
  for (const { agent, endedAt } of group) told.set(agent, Math.min(endedAt, told.get(agent) ?? endedAt));
  const toldAt = [...told.values()].reduce((first, at) => Math.min(first, at), Number.POSITIVE_INFINITY);
  return {
    by,
    toldAt,
    sentAfter: group.filter(({ startedAt }) => startedAt > toldAt),
    sentThoughTold: group.filter(({ agent, startedAt }) => startedAt > (told.get(agent) ?? 0)).length,
  };
}
