import type { Identifiable } from "../call/identify.js";
import { resolveRequestOptions } from "../options.js";
import type { Call, CallSource } from "./call.js";
import type { Engine } from "./engine.js";

/** A call as it begins, from what its adapter knows of the request. */
export function startCall(
  engine: Engine,
  source: CallSource,
  request: Identifiable,
  own: { readonly value: unknown; readonly path: string },
  signal: AbortSignal | undefined,
): Call {
  return {
    facts: engine.identifier.identify(request),
    source,
    request: resolveRequestOptions(own.value, engine.requestDefaults, own.path),
    signal,
    startedAt: engine.clock.monotonic(),
    principal: undefined,
    permit: undefined,
    arrival: undefined,
    needs: undefined,
    exchanges: 0,
    waitMs: 0,
    outcome: undefined,
  };
}
