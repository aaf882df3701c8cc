import type { Priority } from "../../../src/index.js";

/** What an agent's process is started with, as JSON. */
export interface WorkerTask {
  readonly agent: string;
  readonly priority: Priority;
  readonly githubUrl: string;
  readonly token: string;
  readonly storeUrl: string;
  readonly poolName: string;
  /** Calls arrive at random (Poisson), this many per second on average. */
  readonly callsPerSecond: number;
  readonly seed: number;
  /** What this machine's clock is off by. */
  readonly clockSkewMs: number;
  readonly maxWaitMs: number;
  readonly requestTimeoutMs: number;
  readonly storeTimeoutMs: number;
}

/** How a call ended for its caller. */
export type CallOutcome =
  | "answered"
  /** GitHub refused it. */
  | "refused"
  /** The squad did not let it go in time. */
  | "gave-up"
  /** The squad was closed. */
  | "closed"
  | "failed";

/** What an agent's process prints, a line each. Times are epoch milliseconds of the real clock, whatever the skew. */
export type WorkerLine =
  | { readonly kind: "ready" }
  | {
      readonly kind: "call";
      readonly startedAt: number;
      readonly endedAt: number;
      readonly outcome: CallOutcome;
      readonly why: string | undefined;
    }
  /** A request was answered or failed. */
  | { readonly kind: "exchange"; readonly sentAt: number; readonly at: number; readonly status: number | undefined }
  /** Anything that the squad publishes about itself, under the channel's name without `squad-rate:`. */
  | { readonly kind: "event"; readonly at: number; readonly name: string; readonly payload: unknown }
  /** The process stood still for a while. */
  | { readonly kind: "woke"; readonly at: number; readonly sleptMs: number }
  /** An error that nobody caught. */
  | { readonly kind: "uncaught"; readonly at: number; readonly what: string }
  | { readonly kind: "end"; readonly status: unknown };
