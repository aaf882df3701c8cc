import type { Identifiable } from "../call/identify.js";
import { resolveRequestOptions } from "../options.js";
import type { Call, CallSource } from "./call.js";
import type { Engine } from "./engine.js";

/** A call as it begins, from what its adapter knows of the request. */
export function startCall(
  engine: Engine,
  source: CallSource,
  request: Identifiable,
  own: { readonly value: unknown; readonly path: string; readonly retries?: unknown },
  signal: AbortSignal | undefined,
): Call {
  const options = resolveRequestOptions(own.value, engine.requestDefaults, own.path);
  return {
    facts: engine.identifier.identify(request),
    source,
    request: options,
    url: request.url,
    signal,
    startedAt: engine.clock.monotonic(),
    principal: undefined,
    permit: undefined,
    arrival: undefined,
    contentArrival: undefined,
    lane: "direct",
    needs: undefined,
    ended: undefined,
    keptBack: undefined,
    attempts: 0,
    isSpent: false,
    retries: retriesOf(engine, options.retries, own.retries),
    notBefore: undefined,
    chance: undefined,
    firstWaitedAt: undefined,
    exchanges: 0,
    waitMs: 0,
    outcome: undefined,
  };
}

/** Octokit's own `request.retries` is a number by its documentation; what is none there is left to Octokit. */
function retriesOf({ options }: Engine, squads: number, octokits: unknown): number {
  if (options.retry === false) return 0;
  return typeof octokits === "number" && octokits >= 0 ? octokits : squads;
}
