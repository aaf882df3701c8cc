import type { AttemptRecord, CallRecord, TraceFacts, TraceRecord } from "../record.js";

/**
 * Makes a function that writes records as `JSON.stringify` does, those of calls and requests in half its time: their
 * members are known, and names that come again and again are quoted once. Members that the record's type does not have are
 * left out.
 */
export function lineWriter(): (record: TraceRecord) => string {
  const quoted = quoter();
  const factsOf = (record: TraceFacts & { readonly kind: string }): string => {
    const { agent, session, operation, resource } = record;
    const who = `{"v":${record.v},"kind":"${record.kind}","at":${record.at},"call":${quoted.call(record.call)},"machine":${quoted.machine(record.machine)},"pid":${record.pid},"agent":${quoted.agent(agent)},"priority":${record.priority}`;
    const what = `,"method":${quoted.method(record.method)},"route":${quoted.route(record.route)},"host":${quoted.host(record.host)},"resource":${quoted.resource(resource)},"target":${quoted.target(record.target)}`;
    const named = operation === undefined ? "" : `,"operation":${quoted.operation(operation)}`;
    return session === undefined ? who + named + what : `${who},"session":${quoted.session(session)}${named}${what}`;
  };
  return (record) => {
    switch (record.kind) {
      case "attempt":
        return factsOf(record) + attemptMembers(record);
      case "call":
        return factsOf(record) + callMembers(record);
      default:
        return JSON.stringify(record);
    }
  };
}

function attemptMembers(record: AttemptRecord): string {
  let line = `,"attempt":${record.attempt}`;
  if (record.principal !== undefined) line += `,"principal":${JSON.stringify(record.principal)}`;
  if (record.credential !== undefined) line += `,"credential":${JSON.stringify(record.credential)}`;
  if (record.status !== undefined) line += `,"status":${record.status}`;
  if (record.outcome !== undefined) line += `,"outcome":"${record.outcome}"`;
  if (record.redirected !== undefined) line += `,"redirected":${record.redirected}`;
  line += `,"waitMs":${record.waitMs},"durationMs":${record.durationMs}`;
  if (record.bytes !== undefined) line += `,"bytes":${record.bytes}`;
  line += `,"reservedUnits":${record.reservedUnits},"chargedUnits":${record.chargedUnits}`;
  if (record.inDoubt !== undefined) line += `,"inDoubt":${record.inDoubt}`;
  line += `,"points":${record.points}`;
  if (record.validator !== undefined) line += `,"validator":${JSON.stringify(record.validator)}`;
  if (record.etag !== undefined) line += `,"etag":${JSON.stringify(record.etag)}`;
  if (record.scope !== undefined) line += `,"scope":${JSON.stringify(record.scope)}`;
  if (record.mayHaveGrown !== undefined) line += `,"mayHaveGrown":${record.mayHaveGrown}`;
  const { rate } = record;
  if (rate !== undefined) {
    line += `,"rate":{"limit":${rate.limit},"used":${rate.used},"remaining":${rate.remaining},"resetAt":${rate.resetAt}}`;
  }
  if (record.graphql !== undefined) line += `,"graphql":${JSON.stringify(record.graphql)}`;
  if (record.requestId !== undefined) line += `,"requestId":${JSON.stringify(record.requestId)}`;
  return `${line}}`;
}

function callMembers(record: CallRecord): string {
  let line = `,"ok":${record.ok}`;
  if (record.status !== undefined) line += `,"status":${record.status}`;
  if (record.cache !== undefined) line += `,"cache":"${record.cache}"`;
  line += `,"attempts":${record.attempts},"waitMs":${record.waitMs},"durationMs":${record.durationMs},"units":${record.units}`;
  if (record.decision !== undefined) line += `,"decision":${JSON.stringify(record.decision)}`;
  if (record.error !== undefined) line += `,"error":${JSON.stringify(record.error)}`;
  return `${line}}`;
}

type Quoted =
  | "call"
  | "machine"
  | "agent"
  | "session"
  | "operation"
  | "method"
  | "route"
  | "host"
  | "resource"
  | "target";

/** Quotes each kind of name, and remembers the last: both records of a call have the same. */
function quoter(): { readonly [Name in Quoted]: (text: string) => string } {
  return {
    call: lastQuoted(),
    machine: lastQuoted(),
    agent: lastQuoted(),
    session: lastQuoted(),
    operation: lastQuoted(),
    method: lastQuoted(),
    route: lastQuoted(),
    host: lastQuoted(),
    resource: lastQuoted(),
    target: lastQuoted(),
  };
}

function lastQuoted(): (text: string) => string {
  let last = "";
  let quoted = '""';
  return (text) => {
    if (text !== last) {
      last = text;
      quoted = JSON.stringify(text);
    }
    return quoted;
  };
}
