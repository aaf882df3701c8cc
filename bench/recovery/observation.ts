import type { Priority } from "../../src/policy/light.js";
import type { CallKind } from "./demand.js";

/** One call, as its agent saw it. Times are milliseconds after the scenario's start. */
export interface ObservedCall {
  readonly id: number;
  readonly agent: number;
  readonly priority: Priority;
  readonly kind: CallKind;
  readonly arrivedAt: number;
  readonly endedAt: number;
  /** `open`: neither answered nor failed when the run ended. */
  readonly outcome: "answered" | "failed" | "open";
  /** What it failed with: a status, or an error's code. */
  readonly failure: string | undefined;
}

/** What a refusal told: lack of quota, or a secondary limit of everything or of content alone. */
export type Refusal = "primary" | "secondary" | "content";

/** One request, as GitHub saw it. Times are milliseconds after the scenario's start. */
export interface ObservedExchange {
  /** The order of arrival at GitHub. */
  readonly id: number;
  readonly agent: number;
  /** The call that it was sent for. */
  readonly call: number;
  readonly resource: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly chargedUnits: number;
  readonly refusedBy: Refusal | undefined;
  /** The first that a secondary limit refused: those after it are refused because it still stands. */
  readonly breaksLimit: boolean;
  /** When the window ends that the answer speaks of; undefined when it speaks of none. */
  readonly resetAt: number | undefined;
}

/** All that one client did in one run. */
export interface Observation {
  readonly calls: readonly ObservedCall[];
  readonly exchanges: readonly ObservedExchange[];
  /** When a secondary limit struck that nobody had broken. */
  readonly struckAt: readonly number[];
  /** When windows of the core quota ended, or would have. */
  readonly resetsAt: readonly number[];
  /** Comments in GitHub's world that are there more than once, counted without the first. */
  readonly duplicatedWrites: number;
  /** Units of the core quota that there were to be used until `availableUntil`; undefined where that is not the question. */
  readonly availableUnits: number | undefined;
  readonly availableUntil: number;
  /** Requests a second at which the core quota would last until its reset. */
  readonly evenPerSecond: number;
}
