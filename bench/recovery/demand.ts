import type { Priority } from "../../src/policy/light.js";
import { createRandom, type Random } from "../../src/sim/github/random.js";

/** One process with one agent in it. */
export interface Agent {
  readonly name: string;
  readonly priority: Priority;
}

export type CallKind = "read" | "write" | "graphql";

/** A call that an agent will make. */
export interface Arrival {
  /** 0, 1, 2, … in the order of arrival: the n-th is `arrivals[n]`. */
  readonly id: number;
  /** Index of its agent. */
  readonly agent: number;
  readonly kind: CallKind;
  /** Milliseconds after the scenario's start. */
  readonly atMs: number;
}

export interface Demand {
  readonly agents: readonly Agent[];
  readonly arrivals: readonly Arrival[];
}

/** How much agents want, for how long. */
export interface Load {
  readonly agents: number;
  readonly forMs: number;
  /** Calls of REST's core quota an hour, by all agents together. */
  readonly corePerHour: number;
  /** The part of those that are writes, 0 to 1. */
  readonly writes: number;
  readonly graphqlPerHour: number;
}

/** Calls at random moments, by random agents: of eight agents one is P0, three are P1, the rest P2. */
export function steadyDemand(load: Load, seed: number): Demand {
  const random = createRandom(seed);
  const agents = agentsOf(load.agents, (index) => (index % 8 === 0 ? 0 : index % 8 < 4 ? 1 : 2));
  const perHour = load.corePerHour + load.graphqlPerHour;
  const arrivals: Arrival[] = [];
  for (let atMs = gapMs(perHour, random); atMs < load.forMs; atMs += gapMs(perHour, random)) {
    const rest = random() * perHour < load.corePerHour;
    const kind = rest ? (random() < load.writes ? "write" : "read") : "graphql";
    arrivals.push({ id: arrivals.length, agent: Math.floor(random() * agents.length), kind, atMs: Math.floor(atMs) });
  }
  return { agents, arrivals };
}

/** Every agent has one read, and of each class every tenth a write too, some time within `withinMs`. */
export function waitingCrowd(count: number, withinMs: number, seed: number): Demand {
  const random = createRandom(seed);
  const agents = agentsOf(count, (index) => (index % 20 === 0 ? 0 : index % 20 < 8 ? 1 : 2));
  const seen = [0, 0, 0];
  const wishes = agents.flatMap(({ priority }, agent) => {
    const writes = (seen[priority] as number) % 10 === 0;
    seen[priority] = (seen[priority] as number) + 1;
    const kinds: readonly CallKind[] = writes ? ["read", "write"] : ["read"];
    return kinds.map((kind) => ({ agent, kind, atMs: Math.floor(random() * withinMs) }));
  });
  wishes.sort((a, b) => a.atMs - b.atMs);
  return { agents, arrivals: wishes.map((wish, id) => ({ id, ...wish })) };
}

function agentsOf(count: number, priorityOf: (index: number) => Priority): readonly Agent[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `agent-${String(index).padStart(3, "0")}`,
    priority: priorityOf(index),
  }));
}

/** Between two arrivals of a Poisson process. */
function gapMs(perHour: number, random: Random): number {
  return (-Math.log(1 - random()) * 3_600_000) / perHour;
}
