import type { CacheOutcome } from "../call/cache-outcome.js";
import type { IdentifiedCall } from "../call/identify.js";
import type { CallFacts } from "../events.js";
import { isPlainName, type ResolvedRequestOptions } from "../options.js";
import type { Lane } from "../policy/pacing.js";
import type { RetryOutcome } from "../policy/retry.js";
import type { ContentWrites } from "../pool/content-writes.js";
import type { Arrival } from "../pool/pool-spender.js";
import type { CallNotes } from "../trace/call-notes.js";
import type { GraphqlCall, GraphqlRequest } from "./graphql-desk.js";
import type { Permit } from "./permit.js";
import type { Principal } from "./principal.js";

/** Where a call tells a person something; Octokit's `log` is one. */
export interface CallLog {
  info(message: string): unknown;
  warn(message: string): unknown;
}

/** Which of Octokit's own plugins for failures and limits are there beside this one. */
export interface HostPlugins {
  readonly retry: boolean;
  readonly throttling: boolean;
}

/** None of them. */
export const NO_PLUGINS: HostPlugins = Object.freeze({ retry: false, throttling: false });

/** The client that calls come from: one Octokit, or one bare `fetch`. */
export interface CallSource {
  /** Known from the options of an app's installation; its tokens rotate, its quota does not. */
  readonly installation: string | undefined;
  /** The host's plugins between this one and GitHub, which would sit on a refusal or send things twice. */
  readonly inside: HostPlugins;
  /** The host's plugins that call this one. */
  readonly outside: HostPlugins;
  readonly log: CallLog;
}

/** How the latest request of a call ended, as far as it matters to whether there is to be another. */
export interface Ended {
  readonly outcome: RetryOutcome;
  readonly retryAfterMs: number | undefined;
  /** A limit refused a part of it only: what it asked for besides was done. */
  readonly partly: boolean;
}

/** An answer that the fetch seam did not hand on, and the request that it is to. */
export interface KeptBack {
  readonly response: Response;
  readonly authorization: string | undefined;
}

/** A call that failed waits for its next attempt. */
export interface NotBefore {
  /** Monotonic milliseconds. */
  readonly atMono: number;
  readonly why: string;
}

/** One logical request on its way, and what has happened to it. The two seams share it and nobody else keeps it. */
export interface Call {
  readonly facts: IdentifiedCall;
  readonly source: CallSource;
  readonly request: ResolvedRequestOptions;
  /** As the caller wrote it: a template, a path or an address. */
  readonly url: string;
  readonly signal: AbortSignal | undefined;
  /** What it asks of GraphQL, as it was given. */
  readonly graphqlRequest: GraphqlRequest | undefined;
  /** The same when it has been read; undefined where it cannot be, or is not GraphQL. */
  graphql: GraphqlCall | undefined;
  /** Units to set aside for it. */
  costUnits: number;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** Whose quota it counts against; known from the fetch seam on. */
  principal: Principal | undefined;
  permit: Permit | undefined;
  /** The pool counts it among those that want units. */
  arrival: Arrival | undefined;
  /** The pool counts it among those that want to write content. */
  contentArrival: ContentWrites | undefined;
  /** Which way it takes to GitHub. */
  lane: Lane;
  /** Set by the fetch seam when it cannot go on by itself. */
  needs: "permit" | undefined;
  /** What came of the latest request that was sent for it; undefined before. */
  ended: Ended | undefined;
  /** A refusal that the host's own plugins were not shown. */
  keptBack: KeptBack | undefined;
  /** Attempts in which something was sent. */
  attempts: number;
  /** Its body was a stream, and cannot be sent again. */
  isSpent: boolean;
  /** A query that runs out of its time is divided by whoever made it, and not sent again as it is. */
  readonly dividesTimeouts: boolean;
  /** How often it is tried again at most. */
  readonly retries: number;
  /** Not sent again before. */
  notBefore: NotBefore | undefined;
  /** From 0 to less than 1, drawn once: its place among those who are released together. */
  chance: number | undefined;
  /** Monotonic; undefined when it has not waited. */
  firstWaitedAt: number | undefined;
  /** Physical requests sent so far. */
  exchanges: number;
  waitMs: number;
  outcome: CacheOutcome | undefined;
  /** For its records; undefined when there is no trace. */
  readonly notes: CallNotes | undefined;
}

/** What the caller named the call, or the name of its GraphQL operation; a credential is no name. */
export function operationOf({ request, facts, graphql }: Call): string | undefined {
  const name = request.operation ?? facts.operationName ?? graphql?.operation.name;
  return name === undefined || isPlainName(name) ? name : "withheld";
}

/** The facts of a call for an event. */
export function factsOf(call: Call): CallFacts {
  const { agent, priority, session } = call.request;
  const { method, host, resource, route } = call.facts;
  return {
    agent,
    priority,
    session,
    operation: operationOf(call),
    method,
    route: route(),
    host,
    resource,
  };
}
