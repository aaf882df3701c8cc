import type { LeaseView } from "../../../src/pool/outside/lease-view.js";
import type { AgentView, PoolView } from "../../../src/pool/outside/pool-view.js";
import type { QuotaView } from "../../../src/pool/outside/quota-view.js";

/** Noon, UTC. */
export const NOW: number = Date.UTC(2030, 0, 1, 12);
export const MINUTE_MS = 60_000;
export const UTC = { timeZone: "UTC" } as const;

export function quota(more: Partial<QuotaView> = {}): QuotaView {
  return {
    resource: "core",
    state: "open",
    why: undefined,
    limit: 5_000,
    usedUnits: 1_880,
    remainingUnits: 3_120,
    heldUnits: 60,
    inFlightUnits: 2,
    waitingUnits: 0,
    waitingSpenders: 0,
    resetAt: NOW + 23 * MINUTE_MS,
    windowMs: 60 * MINUTE_MS,
    light: "green",
    forecast: { unitsPerMinute: 50, exhaustedInMs: 62 * MINUTE_MS },
    hiddenUnits: 12,
    hiddenAtLeastUnits: 9,
    hiddenPerHour: 40,
    seenAt: NOW - 1_000,
    leases: [],
    ...more,
  };
}

export function lease(more: Partial<LeaseView> = {}): LeaseView {
  return {
    spender: "ralph~5f0c31aa77e0-1c2d3e4f",
    agent: "ralph",
    process: "5f0c31aa77e0",
    priority: 1,
    state: "alive",
    allocatedUnits: 200,
    spentUnits: 138,
    inFlightUnits: 2,
    heldUnits: 60,
    waitingUnits: 0,
    wantPerHour: 300,
    reportedAt: NOW - 5_000,
    spendUntil: NOW + 4 * MINUTE_MS,
    leaseLeftMs: 4 * MINUTE_MS,
    returnsAfter: NOW + 5 * MINUTE_MS + 1_000,
    ...more,
  };
}

export function agent(more: Partial<AgentView> = {}): AgentView {
  return {
    id: "ralph~5f0c31aa77e0",
    agent: "ralph",
    process: "5f0c31aa77e0",
    priority: 1,
    machine: "build-1",
    leaseLeftMs: 4 * MINUTE_MS,
    light: "green",
    breakerOpen: false,
    blockedUntil: undefined,
    dependsOn: [],
    ...more,
  };
}

export function pool(more: Partial<PoolView> = {}): PoolView {
  return {
    host: "api.github.com",
    name: "team",
    now: NOW,
    quotas: [quota()],
    agents: [],
    cooldown: undefined,
    contentWrites: undefined,
    knownOperations: 0,
    unreadable: [],
    ...more,
  };
}
