import type { CacheOutcome } from "../../call/cache-outcome.js";
import type { OutcomeKind } from "../../call/outcome.js";
import { isReadMethod } from "../../call/points.js";
import type { Priority } from "../../policy/light.js";
import type { EndedCall, Exchange, Observed, ObservedRate, Reading } from "../observed.js";
import { countOf, objectOf, spanOf, textOf, timeOf } from "./field.js";
import { rateOf } from "./rate.js";

type Fields = Readonly<Record<string, unknown>>;

/** A record of our own trace, or in words what is wrong with it. */
export function ownRecord(fields: Fields): Observed | string | undefined {
  const at = timeOf(fields.at);
  if (at === undefined) return `at is ${shown(fields.at)}`;
  switch (fields.kind) {
    case "attempt":
      return exchange(fields, at);
    case "call":
      return call(fields, at);
    case "reading":
      return reading(fields, at);
    default:
      return undefined;
  }
}

function exchange(fields: Fields, at: number): Exchange | string {
  const durationMs = spanOf(fields.durationMs);
  const units = countOf(fields.chargedUnits);
  const attempt = countOf(fields.attempt);
  const status = fields.status === undefined ? undefined : countOf(fields.status);
  if (durationMs === undefined) return `durationMs is ${shown(fields.durationMs)}`;
  if (units === undefined) return `chargedUnits is ${shown(fields.chargedUnits)}`;
  if (attempt === undefined) return `attempt is ${shown(fields.attempt)}`;
  if (status === undefined && fields.status !== undefined) return `status is ${shown(fields.status)}`;
  const facts = factsOf(fields, at);
  const method = (textOf(fields.method) ?? "").toUpperCase();
  const graphql = objectOf(fields.graphql);
  const api = graphql !== undefined || facts.resource === "graphql" ? "graphql" : "rest";
  return {
    kind: "exchange",
    origin: "own",
    ...facts,
    endedAt: at + durationMs,
    attempt,
    api,
    method,
    // A mutation weighs five points, a query one; an operation of unknown kind counts as a mutation.
    isWrite: api === "graphql" ? fields.points !== 1 : !isReadMethod(method),
    principal: textOf(fields.principal),
    credential: textOf(fields.credential),
    target: textOf(fields.target),
    status,
    isUnanswered: status === undefined,
    isRedirected: fields.redirected === true,
    outcome: outcomeOf(fields.outcome),
    waitMs: spanOf(fields.waitMs),
    durationMs,
    units,
    isCostKnown: fields.inDoubt !== true && (api === "rest" || status !== 200 || isCostTold(graphql)),
    validator: textOf(fields.validator),
    etag: textOf(fields.etag),
    scope: textOf(fields.scope),
    mayHaveGrown: fields.mayHaveGrown === true,
    answer: textOf(graphql?.answer),
    rate: rateOf(objectOf(fields.rate), at),
  };
}

/** A mutation tells no cost, and has the one that GitHub's rule gives it. */
function isCostTold(graphql: Fields | undefined): boolean {
  return graphql?.cost !== undefined || graphql?.kind === "mutation";
}

function call(fields: Fields, at: number): EndedCall | string {
  const waitMs = spanOf(fields.waitMs);
  const durationMs = spanOf(fields.durationMs);
  const attempts = countOf(fields.attempts);
  if (waitMs === undefined) return `waitMs is ${shown(fields.waitMs)}`;
  if (durationMs === undefined) return `durationMs is ${shown(fields.durationMs)}`;
  if (attempts === undefined) return `attempts is ${shown(fields.attempts)}`;
  return {
    kind: "call",
    ...factsOf(fields, at),
    ok: fields.ok === true,
    cache: CACHE_OUTCOMES.has(fields.cache as CacheOutcome) ? (fields.cache as CacheOutcome) : undefined,
    attempts,
    waitMs,
    durationMs,
    decision: decisionOf(objectOf(fields.decision)?.kind),
  };
}

function reading(fields: Fields, at: number): Reading | string {
  const given = objectOf(fields.resources);
  if (given === undefined) return `resources is ${shown(fields.resources)}`;
  const resources = new Map<string, ObservedRate>();
  for (const [name, value] of Object.entries(given)) {
    const rate = rateOf(objectOf(value), at);
    const resource = textOf(name);
    if (rate !== undefined && resource !== undefined) resources.set(resource, rate);
  }
  return { kind: "reading", at, host: textOf(fields.host) ?? "", principal: textOf(fields.principal), resources };
}

function factsOf(
  fields: Fields,
  at: number,
): Omit<EndedCall, "kind" | "ok" | "cache" | "attempts" | "waitMs" | "durationMs" | "decision"> {
  const machine = textOf(fields.machine);
  const pid = countOf(fields.pid);
  const { priority } = fields;
  return {
    at,
    machine,
    process: machine === undefined || pid === undefined ? undefined : `${machine}:${pid}`,
    agent: textOf(fields.agent),
    session: textOf(fields.session),
    operation: textOf(fields.operation) ?? textOf(objectOf(fields.graphql)?.operation),
    priority: priority === 0 || priority === 1 || priority === 2 ? (priority satisfies Priority) : undefined,
    route: textOf(fields.route),
    host: textOf(fields.host) ?? "",
    resource: textOf(fields.resource) ?? "core",
  };
}

function decisionOf(kind: unknown): EndedCall["decision"] {
  return kind === "wait" || kind === "refuse" || kind === "retry" ? kind : undefined;
}

function outcomeOf(kind: unknown): OutcomeKind | undefined {
  return OUTCOMES.has(kind as OutcomeKind) ? (kind as OutcomeKind) : undefined;
}

/** Records, so that the compiler misses none. */
const OUTCOMES: ReadonlySet<OutcomeKind> = new Set(
  Object.keys({
    ok: true,
    "not-modified": true,
    redirect: true,
    "graphql-error": true,
    "query-too-large": true,
    "graphql-timeout": true,
    "primary-limit": true,
    "secondary-limit": true,
    "server-error": true,
    "client-error": true,
  } satisfies Record<OutcomeKind, true>) as OutcomeKind[],
);
const CACHE_OUTCOMES: ReadonlySet<CacheOutcome> = new Set(
  Object.keys({
    miss: true,
    changed: true,
    revalidated: true,
    shared: true,
    fresh: true,
    stale: true,
  } satisfies Record<CacheOutcome, true>) as CacheOutcome[],
);

function shown(value: unknown): string {
  if (value === undefined) return "missing";
  return (JSON.stringify(value) ?? String(value)).slice(0, 40);
}
