import type { Clock } from "../../clock.js";
import type { Priority } from "../../policy/light.js";

/** How a call ended for its caller. */
export type FleetOutcome = "answered" | "refused" | "gave-up";

/** One call that an agent makes. */
export interface FleetCall {
  readonly agent: string;
  readonly priority: Priority;
  /** Epoch milliseconds of the fleet's clock, by which the caller must have been let go. */
  readonly deadlineAt: number;
  /** To be told once. */
  done(outcome: FleetOutcome): void;
}

/** What GitHub answered. Times are GitHub's. */
export interface FleetAnswer {
  readonly refused: boolean;
  readonly chargedUnits: number;
  readonly limit: number;
  readonly used: number;
  readonly resetAt: number;
}

/** The world as one process sees it. */
export interface FleetWorld {
  readonly process: string;
  readonly clock: Clock;
  readonly windowMs: number;
  /** GitHub's time, as far as this process knows it. */
  githubNow(): number;
  /** Sends one request. Its answer comes later, or never when the process has died. */
  send(answered: (answer: FleetAnswer) => void): void;
  /** Changes the shared document at one instant; `undefined` when the store does not answer in time. */
  update<T>(change: (doc: unknown) => { readonly doc: unknown; readonly result: T }, done: (result?: T) => void): void;
}

/** A client under test, one per process. */
export interface FleetClient {
  call(call: FleetCall): void;
  /** The process has been killed: nothing more may happen. */
  kill(): void;
  /** Time passes and the client may act: called after it was stopped. */
  wake(): void;
}

export type FleetClientFactory = (world: FleetWorld) => FleetClient;
