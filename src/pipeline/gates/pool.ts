import type { PoolSpender } from "../../pool/pool-spender.js";
import type { Call } from "../call.js";
import type { Engine } from "../engine.js";
import type { PooledUnits } from "../permit.js";
import type { MustWait } from "../wait-request.js";

/** The call's part of the quota that the pool divides; on "go" its units are taken. */
export function poolGate(
  engine: Engine,
  call: Call,
  spender: PoolSpender,
  githubNow: number,
): { readonly kind: "go"; readonly pooled: PooledUnits } | MustWait {
  const { priority } = call.request;
  if (call.arrival?.spender !== spender) {
    forgetArrival(call);
    call.arrival = spender.arrive(priority, call.facts.costUnits);
  }
  const word = spender.spend(call.arrival);
  if (word.kind === "go") {
    call.arrival = undefined;
    return { kind: "go", pooled: { spender, priority, ticket: word.ticket } };
  }
  const untilAt = Math.ceil(engine.clock.now() + word.untilAt - githubNow);
  return { kind: "wait", gate: "pool", untilAt, brief: word.brief, why: word.why() };
}

/** A call will not be sent after all, or is sent without asking: nobody need count it among those that wait. */
export function forgetArrival(call: Call): void {
  call.arrival?.spender.leave(call.arrival);
  call.arrival = undefined;
  call.contentArrival?.leave(call.request.priority);
  call.contentArrival = undefined;
}
