import type { Clock } from "../../../clock.js";
import type { Priority } from "../../../policy/light.js";
import type { PoolDocuments } from "../../../pool/documents.js";
import type { GitHubTime } from "../../../pool/github-time.js";

/** How a call ended for its caller. */
export type QuotaOutcome = "answered" | "refused" | "gave-up";

/** One call that an agent makes. */
export interface QuotaCall {
  readonly agent: string;
  readonly priority: Priority;
  /** Epoch milliseconds of the fleet's clock, by which the caller wants to be let go. */
  readonly deadlineAt: number;
  /** To be told once. */
  done(outcome: QuotaOutcome): void;
}

/** What GitHub answered. Times are GitHub's. */
export interface QuotaAnswer {
  readonly refused: boolean;
  readonly chargedUnits: number;
  readonly limit: number;
  readonly used: number;
  readonly resetAt: number;
}

/** The world as one process sees it. Nothing of it happens any more when the process has died. */
export interface QuotaWorld {
  readonly process: string;
  readonly clock: Clock;
  readonly time: GitHubTime;
  readonly documents: PoolDocuments;
  readonly windowMs: number;
  /** Sends one request. Its answer comes later. */
  send(answered: (answer: QuotaAnswer) => void): void;
}

/** A client under test, one per process. */
export interface QuotaClient {
  call(call: QuotaCall): void;
}

export type QuotaClientFactory = (world: QuotaWorld) => QuotaClient;
