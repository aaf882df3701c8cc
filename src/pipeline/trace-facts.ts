import type { CallNotes, Writable } from "../trace/call-notes.js";
import { TRACE_VERSION, type TraceFacts } from "../trace/record.js";
import type { NamedTarget } from "../trace/target.js";
import { type Call, operationOf } from "./call.js";
import type { Engine } from "./engine.js";

/** What every record of a call begins with; undefined members are left out, as `exactOptionalPropertyTypes` wants it. */
export function factsForTrace<Kind extends "attempt" | "call">(
  { trace }: Engine,
  call: Call,
  notes: CallNotes,
  kind: Kind,
  at: number,
  resource: string,
  target: string,
): Writable<TraceFacts> & { readonly kind: Kind } {
  const { agent, priority, session } = call.request;
  const route = call.facts.route();
  const facts: Writable<TraceFacts> & { readonly kind: Kind } = {
    v: TRACE_VERSION,
    kind,
    at,
    call: notes.id,
    machine: trace.machine,
    pid: trace.pid,
    agent,
    priority,
    // By the route, since a method may be any word that a caller made up.
    method: route.slice(0, route.indexOf(" ")),
    route,
    host: call.facts.host,
    resource,
    target,
  };
  if (session !== undefined) facts.session = session;
  const operation = operationOf(call);
  if (operation !== undefined) facts.operation = operation;
  return facts;
}

/** Names what a call asks for. One that has not come to the wire is named by what its caller wrote. */
export function targetOf(engine: Engine, call: Call, notes: CallNotes): NamedTarget {
  notes.target ??= nameTarget(engine, call, notes);
  return notes.target;
}

function nameTarget({ trace }: Engine, { facts, graphqlRequest, url }: Call, notes: CallNotes): NamedTarget {
  const { method, kind, host } = facts;
  if (facts.api === "graphql" && typeof graphqlRequest?.document === "string") {
    const { document, operationName, variables } = graphqlRequest;
    // What a mutation carries is neither asked for nor to be guessed.
    return trace.targets.graphql({
      host,
      document,
      operationName,
      variables: kind === "read" ? variables : undefined,
    });
  }
  return trace.targets.rest({ method, kind, host, address: notes.address ?? `${host}${url}`, accept: notes.accept });
}
