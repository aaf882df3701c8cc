import type { KeyvStoreAdapter } from "keyv";
import type { Clock } from "../../clock.js";
import type { Priority } from "../../policy/light.js";
import type { FleetSession, PollNeeds } from "./needs.js";

/** One agent of a fleet. */
export interface FleetAgent {
  readonly name: string;
  readonly priority: Priority;
  /** The pull request that it watches; undefined for agents that only call. */
  readonly session: FleetSession | undefined;
}

/** The world as one process sees it. Nothing of it answers any more when the process has died. */
export interface FleetSeat {
  /** Counted from 0. */
  readonly process: number;
  readonly agents: readonly FleetAgent[];
  /** The way to the simulated GitHub. */
  readonly fetch: typeof globalThis.fetch;
  /** The machine's clock, which may be off. */
  readonly clock: Clock;
  /** The token of the moment. */
  readonly token: () => string;
  /** What all processes of the fleet share. */
  readonly store: KeyvStoreAdapter;
  readonly seed: number;
  /**
   * Times a call that a poll consists of, waiting included, and gives what it gives. Whoever does not use it leaves
   * `calls.ofPolls` of the report empty.
   */
  readonly timed: <T>(call: () => Promise<T>) => Promise<T>;
}

/** A call that an agent makes on its own behalf. */
export interface FleetCall {
  readonly agent: FleetAgent;
  readonly maxWaitMs: number;
  /** To be sent with the request: by them the fleet knows for which call a request is made. */
  readonly headers: Readonly<Record<string, string>>;
  readonly request:
    | { readonly kind: "rest"; readonly route: string; readonly parameters: Readonly<Record<string, unknown>> }
    | { readonly kind: "graphql"; readonly query: string; readonly variables: Readonly<Record<string, unknown>> };
}

/** A client under test, one per process. */
export interface FleetClient {
  /**
   * Which of the process's sessions are polled for together. Each group is polled by itself, and the next time when the poll
   * before has ended. Default: each session by itself.
   */
  readonly groups?: readonly (readonly FleetAgent[])[];
  /** Comes by all that the sessions of a group need, each value true at some moment of the poll; rejects if it cannot. */
  poll(group: readonly FleetAgent[]): Promise<ReadonlyMap<FleetAgent, PollNeeds>>;
  /** Makes a call and gives what it was answered (of GraphQL the data), no older than the call; rejects if it fails. */
  call(call: FleetCall): Promise<unknown>;
  /** The fleet has ended. */
  close(): Promise<void>;
}

/** Makes the client of one process. */
export type FleetClientFactory = (seat: FleetSeat) => FleetClient | Promise<FleetClient>;
