import type { ResourceName, SimulatedExchange } from "../../../sim/index.js";

/** What was asked of one resource, and what that cost. */
export interface ResourceTraffic {
  readonly resource: ResourceName;
  readonly requests: number;
  /** Answered 304, which costs nothing. */
  readonly unchanged: number;
  readonly refused: number;
  readonly units: number;
}

/** Adds up what a simulated GitHub was asked. */
export class Traffic {
  readonly #byResource = new Map<ResourceName, ResourceTraffic>();

  add({ resource, status, refusedBy, chargedUnits }: SimulatedExchange): void {
    const before = this.#byResource.get(resource) ?? { resource, requests: 0, unchanged: 0, refused: 0, units: 0 };
    this.#byResource.set(resource, {
      resource,
      requests: before.requests + 1,
      unchanged: before.unchanged + (status === 304 ? 1 : 0),
      refused: before.refused + (refusedBy === undefined ? 0 : 1),
      units: before.units + chargedUnits,
    });
  }

  /** The resource that was asked most comes first. */
  list(): readonly ResourceTraffic[] {
    return [...this.#byResource.values()].sort((a, b) => b.requests - a.requests);
  }
}
