import type { Priority } from "../light.js";
import type { PerClass } from "../share/quota-document.js";
import { RESET_GUARD_MS } from "../window.js";
import type { SpenderState } from "./state.js";

/** A spender that never met the pool takes itself for the only one of its class. */
const SHARES_ALONE: PerClass<number> = [0.4, 0.35, 0.25];

/** How often a call may go to find out about a quota that nobody here knows. */
const PROBE_MS = 5_000;

/** What is not sent in time may be made up for, so that calls come in bursts as they always do: for this part of a window. */
const BURST_SHARE = 1 / 60;

/** Less than this of the limit, told by a pool that denied units, is nothing: others hold it or are about to. */
const NOTHING_SHARE = 0.02;

/** Whether a call may go while the store is lost; if so, when the next may. */
export type Pace =
  | { readonly kind: "go"; readonly pacedUntil: number }
  | { readonly kind: "wait"; readonly at: number };

/**
 * Without the store a spender spends its entitlement of what its own headers say remains, evenly over the time left. As
 * everybody's headers show the same count, the fleet slows down together as it runs out.
 */
export function pace(state: SpenderState, priority: Priority, units: number, now: number): Pace {
  if (now < state.pacedUntil) return { kind: "wait", at: state.pacedUntil };
  const { header } = state;
  if (header === undefined || now >= header.resetAt + RESET_GUARD_MS) return { kind: "go", pacedUntil: now + PROBE_MS };
  const { denials, deniedAt } = state.classes[priority];
  const inFlight = state.classes[0].inFlight + state.classes[1].inFlight + state.classes[2].inFlight;
  // The pool, when it denied units, knew more of what is left than an older header does.
  const unheld = state.unheld < NOTHING_SHARE * header.limit ? 0 : state.unheld;
  const told = denials > 0 && deniedAt > header.at ? unheld : Number.POSITIVE_INFINITY;
  const remaining = Math.min(header.limit - header.used, told) - inFlight;
  if (remaining < units) return { kind: "wait", at: header.resetAt + RESET_GUARD_MS };
  const share = state.share[priority] || SHARES_ALONE[priority];
  const leftMs = Math.max(0, header.resetAt - now);
  const from = Math.max(state.pacedUntil, now - state.windowMs * BURST_SHARE);
  return { kind: "go", pacedUntil: from + (units * leftMs) / (share * remaining) };
}
