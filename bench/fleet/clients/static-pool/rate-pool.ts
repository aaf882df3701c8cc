import type { KeyvStoreAdapter } from "keyv";
import type { Clock } from "../../../../src/clock.js";
import type { FleetAgent } from "../../../../src/sim/fleet/client.js";

type Priority = FleetAgent["priority"];

/** Whose part it is, how much of it is used, and until when the agent counts as alive. */
interface Allocation {
  readonly priority: Priority;
  readonly allocated: number;
  readonly used: number;
  /** Epoch milliseconds. */
  readonly leaseExpiry: number;
}

/** The shared JSON. */
interface RatePool {
  readonly totalLimit: number;
  /** Epoch milliseconds. */
  readonly resetAt: number;
  readonly allocations: Readonly<Record<string, Allocation>>;
}

const FILE = "rate-pool.json";
const TOTAL_LIMIT = 5_000;
const SHARES: Readonly<Record<Priority, number>> = { 0: 0.4, 1: 0.35, 2: 0.25 };
const LEASE_MS = 5 * 60_000;
const RENEW_MS = 2 * 60_000;

/**
 * The cooperative pool as described: each agent has a fixed part of the limit in a JSON file that all share, and looks into it
 * before each call. As described, too: nobody locks the file, so that of two who write at once one is forgotten; what an
 * agent leaves unused helps nobody, not even when its lease has run out; and an agent that is not in the file may do what
 * it likes. In one thing it is kinder than described: the shares of classes that nobody is of go to the others.
 */
export class StaticPool {
  readonly #file: KeyvStoreAdapter;
  readonly #clock: Clock;
  readonly #agents: readonly FleetAgent[];
  #stop = (): void => {};

  constructor(file: KeyvStoreAdapter, clock: Clock, agents: readonly FleetAgent[]) {
    this.#file = file;
    this.#clock = clock;
    this.#agents = agents;
  }

  /** Enters this process's agents a while from now, and renews their leases from then on. */
  enterAfter(ms: number): void {
    this.#stop = this.#clock.timer(ms, () => {
      void this.#enter().then(() => this.#renewLater());
    });
  }

  /** Whether the agent has anything left of its part. */
  async mayCall(agent: FleetAgent): Promise<boolean> {
    const allocation = (await this.#read()).allocations[agent.name];
    return allocation === undefined || allocation.used < allocation.allocated;
  }

  /** Books a call, and takes over a later reset, with which everybody's count begins anew. */
  async book(agent: FleetAgent, resetAt: number): Promise<void> {
    const read = await this.#read();
    const isNewWindow = resetAt > read.resetAt + 60_000;
    const pool = isNewWindow
      ? { ...read, resetAt, allocations: changed(read.allocations, (one) => ({ ...one, used: 0 })) }
      : read;
    const allocation = pool.allocations[agent.name];
    if (allocation === undefined) return;
    const booked = { ...allocation, used: allocation.used + 1, leaseExpiry: this.#clock.now() + LEASE_MS };
    await this.#write({ ...pool, allocations: { ...pool.allocations, [agent.name]: booked } });
  }

  close(): void {
    this.#stop();
  }

  /** Parts each class's share evenly among those who are in the file by now. */
  async #enter(): Promise<void> {
    const pool = await this.#read();
    const entered = { ...pool.allocations };
    const leaseExpiry = this.#clock.now() + LEASE_MS;
    for (const { name, priority } of this.#agents) entered[name] = { priority, allocated: 0, used: 0, leaseExpiry };
    const counts = new Map<Priority, number>();
    for (const { priority } of Object.values(entered)) counts.set(priority, (counts.get(priority) ?? 0) + 1);
    const present = [...counts.keys()].reduce<number>((sum, priority) => sum + SHARES[priority], 0);
    const partOf = (priority: Priority): number =>
      Math.floor((SHARES[priority] * pool.totalLimit) / present / (counts.get(priority) ?? 1));
    await this.#write({
      ...pool,
      allocations: changed(entered, (one) => ({ ...one, allocated: partOf(one.priority) })),
    });
  }

  #renewLater(): void {
    this.#stop = this.#clock.timer(RENEW_MS, () => {
      void this.#renew().then(() => this.#renewLater());
    });
  }

  /** Renews the leases of this process's agents, and recovers those of silent ones. */
  async #renew(): Promise<void> {
    const pool = await this.#read();
    const now = this.#clock.now();
    const own = new Set(this.#agents.map(({ name }) => name));
    const allocations = changed(pool.allocations, (one, name) => {
      if (own.has(name)) return { ...one, leaseExpiry: now + LEASE_MS };
      return one.leaseExpiry < now ? { ...one, allocated: 0 } : one;
    });
    await this.#write({ ...pool, allocations });
  }

  async #read(): Promise<RatePool> {
    const text = await this.#file.get<string>(FILE);
    return typeof text === "string" ? JSON.parse(text) : { totalLimit: TOTAL_LIMIT, resetAt: 0, allocations: {} };
  }

  async #write(pool: RatePool): Promise<void> {
    await this.#file.set(FILE, JSON.stringify(pool));
  }
}

function changed(
  allocations: RatePool["allocations"],
  change: (one: Allocation, name: string) => Allocation,
): RatePool["allocations"] {
  return Object.fromEntries(Object.entries(allocations).map(([name, one]) => [name, change(one, name)]));
}
