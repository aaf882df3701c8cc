import type { Engine } from "../engine.js";
import type { MustWait } from "../wait-request.js";

/** How often a call that waits while the squad is being closed is asked again, in vain; it is told when that is done. */
const CLOSING_MS = 1_000;

/** While the squad is being closed, calls are held rather than refused. */
export function closingGate({ closed, clock }: Engine): MustWait | undefined {
  if (!closed) return undefined;
  const untilAt = clock.now() + CLOSING_MS;
  return { kind: "wait", gate: "closing", untilAt, brief: true, why: "this squad is being closed" };
}
