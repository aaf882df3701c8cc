import { RESET_GUARD_MS } from "../../policy/window.js";
import type { PoolSpender } from "../../pool/pool-spender.js";
import type { Call } from "../call.js";
import type { Engine } from "../engine.js";
import type { PooledUnits } from "../permit.js";
import type { TrackedWindow } from "../principal.js";
import type { MustWait } from "../wait-request.js";
import { withRelease } from "./release.js";

/** The call's part of the quota that the pool divides; on "go" its units are taken. */
export function poolGate(
  engine: Engine,
  call: Call,
  tracked: TrackedWindow,
  spender: PoolSpender,
  githubNow: number,
): { readonly kind: "go"; readonly pooled: PooledUnits } | MustWait {
  const { priority } = call.request;
  // What it is expected to cost may have been learnt since.
  if (call.arrival?.spender !== spender || call.arrival.units !== call.costUnits) {
    leavePool(call);
    call.arrival = spender.arrive(priority, call.costUnits);
  }
  const word = spender.spend(call.arrival);
  if (word.kind === "go") {
    call.arrival = undefined;
    return { kind: "go", pooled: { spender, priority, ticket: word.ticket } };
  }
  const untilAt = Math.ceil(engine.clock.now() + word.untilAt - githubNow);
  return {
    kind: "wait",
    gate: "pool",
    untilAt: Math.max(untilAt, startAfterReset(engine, call, tracked, spender.state.resetAt, word.untilAt, githubNow)),
    brief: word.brief,
    why: word.why(),
  };
}

/** Where there is nothing before the reset, a call has its place in the order after it; 0: there may be something. */
function startAfterReset(
  engine: Engine,
  call: Call,
  tracked: TrackedWindow,
  resetAt: number | undefined,
  untilAt: number,
  githubNow: number,
): number {
  if (resetAt === undefined || resetAt <= githubNow || untilAt < resetAt) return 0;
  return Math.ceil(withRelease(engine, call, tracked, resetAt + RESET_GUARD_MS, githubNow));
}

/** A call will not be sent after all, or is sent without asking: nobody need count it among those that wait. */
export function forgetArrival(call: Call): void {
  leavePool(call);
  call.contentArrival?.leave(call.request.priority);
  call.contentArrival = undefined;
}

/** Another pool is asked, or the same once more; what else the call waits for is not told of it. */
function leavePool(call: Call): void {
  call.arrival?.spender.leave(call.arrival);
  call.arrival = undefined;
}
