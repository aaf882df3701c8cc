import type { Clock } from "../../src/clock.js";
import type { Session } from "./fleet.js";
import type { Needs } from "./needs.js";

/** Whoever polls GitHub for the sessions, in its own way. */
export interface Client {
  /** Which sessions are polled for together; each group polls by itself. */
  readonly groups: readonly (readonly Session[])[];
  /** Comes by all that the sessions of a group need. */
  poll(group: readonly Session[]): Promise<ReadonlyMap<Session, Needs>>;
  /** How often values were produced for which GraphQL was asked. */
  readonly produced: number;
  close(): Promise<void>;
}

/** What a client is made with. */
export interface Surroundings {
  readonly sessions: readonly Session[];
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly seed: number;
}
