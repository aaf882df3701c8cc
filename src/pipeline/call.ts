import type { CacheOutcome } from "../call/cache-outcome.js";
import type { IdentifiedCall } from "../call/identify.js";
import type { CallFacts } from "../events.js";
import type { ResolvedRequestOptions } from "../options.js";
import type { Arrival } from "../pool/pool-spender.js";
import type { Permit } from "./permit.js";
import type { Principal } from "./principal.js";

/** Where a call tells a person something; Octokit's `log` is one. */
export interface CallLog {
  info(message: string): unknown;
  warn(message: string): unknown;
}

/** The client that calls come from: one Octokit, or one bare `fetch`. */
export interface CallSource {
  /** Known from the options of an app's installation; its tokens rotate, its quota does not. */
  readonly installation: string | undefined;
  readonly log: CallLog;
}

/** One logical request on its way, and what has happened to it. The two seams share it and nobody else keeps it. */
export interface Call {
  readonly facts: IdentifiedCall;
  readonly source: CallSource;
  readonly request: ResolvedRequestOptions;
  readonly signal: AbortSignal | undefined;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** Whose quota it counts against; known from the fetch seam on. */
  principal: Principal | undefined;
  permit: Permit | undefined;
  /** The pool counts it among those that want units. */
  arrival: Arrival | undefined;
  /** Set by the fetch seam when it cannot go on by itself. */
  needs: "permit" | undefined;
  /** Physical requests sent so far. */
  exchanges: number;
  waitMs: number;
  outcome: CacheOutcome | undefined;
}

/** The facts of a call for an event. */
export function factsOf(call: Call): CallFacts {
  const { agent, priority, session, operation } = call.request;
  const { method, host, resource, operationName, route } = call.facts;
  return {
    agent,
    priority,
    session,
    operation: operation ?? operationName,
    method,
    route: route(),
    host,
    resource,
  };
}
