import { publish } from "../events.js";
import { closedError, waitForPermit } from "./admit.js";
import { type Call, factsOf } from "./call.js";
import type { Engine } from "./engine.js";
import { forgetArrival } from "./gates.js";
import { judge } from "./judge.js";

/**
 * The life of a call, from the hook seam: attempted, admitted when an attempt has shown whose quota it needs and that
 * there is none to spare, judged, and settled whatever comes of it. `attempt` enters the fetch seam with the same call.
 *
 * @throws SquadRateError when the squad does not let the call go; otherwise whatever `attempt` throws.
 */
export async function run<T>(engine: Engine, call: Call, attempt: () => Promise<T> | T): Promise<T> {
  if (engine.closed) {
    // A program that is told to end should not stumble over a refusal before its units are given back.
    await engine.closing;
    throw closedError();
  }
  engine.counters.calls++;
  let ok = false;
  try {
    for (;;) {
      try {
        const value = await attempt();
        ok = true;
        return value;
      } catch (error) {
        if (judge(call).kind === "done") throw error;
        call.needs = undefined;
        // Outside auth, so that no token grows old while the call waits.
        await waitForPermit(engine, call);
      }
    }
  } finally {
    settle(engine, call, ok);
  }
}

function settle(engine: Engine, call: Call, ok: boolean): void {
  if (engine.warnings.length > 0) {
    for (const warning of engine.warnings.splice(0)) call.source.log.warn(`squad-rate: ${warning}`);
  }
  forgetArrival(call);
  if (call.permit !== undefined) {
    // Nothing was sent with it: the answer was at hand, or the call failed before.
    call.permit.release();
    call.permit = undefined;
    engine.room.poke();
  }
  publish("squad-rate:call", () => ({
    ...factsOf(call),
    ok,
    outcome: call.outcome,
    exchanges: call.exchanges,
    waitMs: call.waitMs,
    durationMs: engine.clock.monotonic() - call.startedAt,
  }));
}
