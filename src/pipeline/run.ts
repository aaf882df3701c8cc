import { publish } from "../events.js";
import { closedError, tryAdmit, waitForPermit } from "./admit.js";
import { type Call, factsOf } from "./call.js";
import type { Engine } from "./engine.js";
import { judge } from "./judge.js";

/**
 * The life of a call, from the hook seam: admitted, attempted, judged, and settled whatever comes of it. `attempt` enters
 * the fetch seam with the same call.
 *
 * @throws SquadRateError when the squad does not let the call go; otherwise whatever `attempt` throws.
 */
export async function run<T>(engine: Engine, call: Call, attempt: () => Promise<T>): Promise<T> {
  if (engine.closed) throw closedError();
  engine.counters.calls++;
  let ok = false;
  try {
    if (tryAdmit(engine, call).kind === "wait" && !mayBeAnsweredUnasked(engine, call))
      await waitForPermit(engine, call);
    for (;;) {
      try {
        const value = await attempt();
        ok = true;
        return value;
      } catch (error) {
        if (judge(call).kind === "done") throw error;
        call.needs = undefined;
        await waitForPermit(engine, call);
      }
    }
  } finally {
    settle(engine, call, ok);
  }
}

/** A read that a kept answer or an exchange under way may serve is worth an attempt before it waits. */
function mayBeAnsweredUnasked({ cache }: Engine, call: Call): boolean {
  const { freshForMs, maxStaleMs, mode } = call.request.cache;
  if (cache === undefined || call.method !== "GET" || mode === "bypass") return false;
  return freshForMs > 0 || maxStaleMs > 0 || (mode === "use" && cache.flights.size > 0);
}

function settle(engine: Engine, call: Call, ok: boolean): void {
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
