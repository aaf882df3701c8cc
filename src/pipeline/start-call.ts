import type { Identifiable } from "../call/identify.js";
import { resolveRequestOptions } from "../options.js";
import type { Call, CallSource } from "./call.js";
import type { Engine } from "./engine.js";
import type { GraphqlRequest } from "./graphql-desk.js";

/** A call as it begins, from what its adapter knows of the request. */
export function startCall(
  engine: Engine,
  source: CallSource,
  request: Identifiable & { readonly graphql?: GraphqlRequest | undefined },
  own: {
    readonly value: unknown;
    readonly path: string;
    readonly retries?: unknown;
    readonly dividesTimeouts?: boolean | undefined;
  },
  signal: AbortSignal | undefined,
): Call {
  const options = resolveRequestOptions(own.value, engine.requestDefaults, own.path);
  const facts = engine.identifier.identify(request);
  return {
    facts,
    source,
    request: options,
    url: request.url,
    signal,
    graphqlRequest: facts.api === "graphql" ? request.graphql : undefined,
    graphql: undefined,
    costUnits: facts.costUnits,
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
    dividesTimeouts: own.dividesTimeouts === true,
    retries: retriesOf(engine, options.retries, own.retries),
    notBefore: undefined,
    chance: undefined,
    firstWaitedAt: undefined,
    exchanges: 0,
    waitMs: 0,
    outcome: undefined,
    notes: engine.trace.begin(),
  };
}

/** Octokit's own `request.retries` is a number by its documentation; what is none there is left to Octokit. */
function retriesOf({ options }: Engine, squads: number, octokits: unknown): number {
  if (options.retry === false) return 0;
  return typeof octokits === "number" && octokits >= 0 ? octokits : squads;
}
