import type { PlacedAgent } from "./agents.js";
import type { Manned } from "./agents-at-work.js";
import type { FleetAgent } from "./client.js";
import type { PollGroup } from "./polls.js";
import type { WatchWork } from "./scenario.js";

const POLL_MS = 30_000;

/** How often an agent's session is polled for. */
export function pollMs(placed: PlacedAgent | undefined): number {
  return (placed?.of.work as WatchWork | undefined)?.everyMs ?? POLL_MS;
}

/** Who is polled for together, as each client wants it, and when: at even distances, unless all begin at once. */
export function pollGroups(
  placed: readonly PlacedAgent[],
  manned: readonly Manned[],
  { from, until }: { readonly from: number; readonly until: number },
): readonly PollGroup[] {
  const placedOf = new Map<FleetAgent, PlacedAgent>(placed.map((one) => [one.agent, one]));
  const groups = manned.flatMap(({ process, client }, index) => {
    const watchers = placed.filter(({ agent, process: on }) => on === index && agent.session !== undefined);
    const polled = client.groups ?? watchers.map(({ agent }) => [agent]);
    return polled.filter((agents) => agents.length > 0).map((agents) => ({ agents, client, process }));
  });
  return groups.map((group, index) => {
    const first = placedOf.get(group.agents[0] as FleetAgent) as PlacedAgent;
    const { fromMs = 0, untilMs } = first.of;
    const everyMs = pollMs(first);
    const together = (first.of.work as WatchWork).start === "together";
    const delayMs = together ? 0 : Math.floor((index * everyMs) / groups.length);
    const end = untilMs === undefined ? until : Math.min(until, from + untilMs);
    return { ...group, from: from + fromMs + delayMs, until: end, everyMs };
  });
}
