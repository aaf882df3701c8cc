import type { Priority } from "../policy/light.js";

/** What can hold a call back. */
export type Gate =
  | "closing"
  /** It failed, and is tried again later. */
  | "retry"
  /** GitHub refused a request of this quota because it is used up. */
  | "primary"
  | "cooldown"
  /** Those who have waited for a reset or a cooldown start one after the other. */
  | "release"
  | "light"
  | "breaker"
  | "pacing"
  | "secondary"
  | "pool";

/** A gate's word that a call must wait. `untilAt` is in the clock's wall time: epoch milliseconds of `clock.now()`. */
export interface MustWait {
  readonly kind: "wait";
  /** Who says so. */
  readonly gate: Gate;
  readonly untilAt: number;
  /** The gate has asked and is about to know: a call may await that whatever its deadline is. */
  readonly brief?: boolean;
  readonly why: string;
}

/** Who waits, for what, and the gates that decide. */
export interface WaitRequest<Go extends { readonly kind: "go" }> {
  readonly priority: Priority;
  readonly agent: string;
  readonly resource: string;
  readonly signal?: AbortSignal | undefined;
  /** When waiting must be over, in the clock's wall time; `Infinity` for never. */
  readonly deadlineAt: number;
  /**
   * Decides now, and on "go" takes its reservation before it returns, so that the next waiter sees it taken. The room
   * hands the "go" to the caller as it is: a permit can ride on it.
   */
  readonly decide: () => Go | MustWait;
}

/** How a wait ends. `refused`: the gates will not open before the deadline. */
export type WaitOutcome<Go extends { readonly kind: "go" }> =
  | Go
  | { readonly kind: "refused"; readonly gate: Gate; readonly untilAt: number; readonly why: string }
  | { readonly kind: "closed" };

/** One line of the room's list; times in the clock's wall time. */
export interface WaitingCall {
  readonly agent: string;
  readonly priority: Priority;
  readonly resource: string;
  readonly since: number;
  readonly untilAt: number;
  readonly why: string;
}
