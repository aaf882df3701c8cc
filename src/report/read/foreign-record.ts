import { fingerprint } from "../../call/fingerprint.js";
import type { OutcomeKind } from "../../call/outcome.js";
import { isReadMethod } from "../../call/points.js";
import { redact } from "../../call/redact.js";
import { resourceOf } from "../../call/resource.js";
import type { RouteLabel } from "../../call/route.js";
import { readScope, writeScope } from "../../call/write-scope.js";
import type { Priority } from "../../policy/light.js";
import type { Exchange } from "../observed.js";
import { countOf, spanOf, textOf } from "./field.js";
import { first, foreignRate, instantOf, numberOf, type PlainFields, plainFields } from "./foreign-fields.js";
import type { MissingFields } from "./missing-fields.js";

/**
 * A line of another program's trace as an exchange, or undefined if it is none: it must have a time, and say what was
 * asked. Each such line is taken for one call with one request.
 */
export function foreignRecord(
  record: Readonly<Record<string, unknown>>,
  label: RouteLabel,
  missing: MissingFields,
): Exchange | undefined {
  const fields = plainFields(record);
  const at = instantOf(first(fields, NAMES.at));
  const endpoint = textIn(fields, NAMES.endpoint);
  const operation = nameIn(fields, NAMES.operation);
  if (at === undefined || (endpoint === undefined && operation === undefined)) return undefined;
  const { method, path, host } = requestOf(endpoint, textIn(fields, NAMES.method));
  const api = path === undefined ? "rest" : isGraphql(path) ? "graphql" : "rest";
  const status = statusOf(first(fields, NAMES.status));
  const { rate, resource: named, isLimitTold } = foreignRate(fields, at);
  const resource = named ?? (path === undefined ? "core" : api === "graphql" ? "graphql" : resourceOf(method, path));
  const durationMs = durationOf(fields);
  const etag = textOf(first(fields, NAMES.etag));
  const agent = nameIn(fields, NAMES.agent);
  const principal = textOf(first(fields, NAMES.principal));
  const cost = countOf(numberOf(first(fields, NAMES.cost)));
  const units = api === "graphql" ? cost : restUnits(status, path);
  const isWrite = api === "graphql" ? fields.get("operationtype") === "mutation" : !isReadMethod(method);
  const scope = path === undefined || api === "graphql" ? undefined : (isWrite ? writeScope : readScope)(path);
  missing.saw({
    agent,
    session: nameIn(fields, NAMES.session),
    durationMs,
    httpStatus: status,
    rate,
    rateReset: rate === undefined ? "" : rate.resetAt,
    rateLimit: rate === undefined || isLimitTold ? "" : undefined,
    principal,
    etag: api === "graphql" || isWrite || status !== 200 ? "" : etag,
    graphqlCost: api === "graphql" ? cost : "",
    endpoint: path,
  });
  return {
    kind: "exchange",
    origin: "foreign",
    at,
    endedAt: at + (durationMs ?? 0),
    machine: nameIn(fields, NAMES.machine),
    process: undefined,
    agent,
    session: nameIn(fields, NAMES.session),
    operation,
    priority: priorityOf(first(fields, NAMES.priority)),
    route: path === undefined ? undefined : textOf(label(method, path)),
    host,
    resource,
    attempt: 1,
    api,
    method,
    isWrite,
    principal: principal === undefined ? undefined : fingerprint(principal),
    credential: undefined,
    // Of a query the endpoint says nothing.
    target: path === undefined || api === "graphql" ? undefined : fingerprint(`${method} ${path}`),
    status,
    isUnanswered: status === undefined && first(fields, [...NAMES.status, ...NAMES.failure]) !== undefined,
    isRedirected: false,
    outcome: outcomeOf(status, rate?.remaining, textIn(fields, NAMES.error)),
    waitMs: spanOf(numberOf(first(fields, NAMES.wait))),
    durationMs,
    units,
    isCostKnown: units !== undefined,
    validator: textOf(first(fields, NAMES.validator)),
    etag,
    scope: scope?.kind === "repository" ? fingerprint(scope.name) : undefined,
    mayHaveGrown: false,
    answer: undefined,
    rate,
  };
}

const NAMES = {
  at: ["timestamp", "ts", "time", "at", "startedat", "starttime", "start", "date"],
  endpoint: ["endpoint", "url", "path", "uri", "route"],
  operation: ["operation", "operationname", "op", "graphqloperation", "command"],
  method: ["method", "httpmethod", "verb"],
  status: ["httpstatus", "status", "statuscode", "httpstatuscode", "code"],
  etag: ["etag"],
  validator: ["ifnonematch", "validator"],
  agent: ["agent", "agentname", "agentid", "actor"],
  session: ["session", "sessionid", "sessionname"],
  machine: ["machine", "hostname", "pod"],
  principal: ["principal", "token", "tokenid", "login", "user", "account"],
  priority: ["priority"],
  cost: ["graphqlcost", "cost", "querycost", "graphqlunits", "ratelimitcost"],
  wait: ["waitms", "waitedms", "queuedms"],
  error: ["error", "message", "errormessage"],
  failure: ["error", "errormessage", "errorcode", "errorname"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

function textIn(fields: PlainFields, names: readonly string[]): string | undefined {
  const value = first(fields, names);
  return typeof value === "string" ? value : undefined;
}

/** A name to be shown; others write command lines there, with credentials in them. */
function nameIn(fields: PlainFields, names: readonly string[]): string | undefined {
  const value = first(fields, names);
  return textOf(typeof value === "string" ? redact(value) : value);
}

/** `GET /path`, a path, an address, or a word for GraphQL. */
function requestOf(endpoint: string | undefined, method: string | undefined) {
  const inline = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+(\S.*)$/i.exec(endpoint ?? "");
  const address = inline?.[2] ?? endpoint;
  const isAddress = address !== undefined && /^https?:\/\//i.test(address) && URL.canParse(address);
  const url = isAddress ? new URL(address) : undefined;
  const path = url === undefined ? pathOf(address) : `${url.pathname}${url.search}`;
  const verb = (method ?? inline?.[1] ?? (path !== undefined && isGraphql(path) ? "POST" : "GET")).toUpperCase();
  return { method: verb.slice(0, 10), path, host: url?.host ?? "api.github.com" };
}

function pathOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  if (/^graphql$/i.test(address)) return "/graphql";
  return address.startsWith("/") ? address : `/${address}`;
}

function isGraphql(path: string): boolean {
  return /^(?:\/api)?\/graphql(?:[?#]|$)/i.test(path);
}

/** By GitHub's rules; a gateway's failure is taken for free. */
function restUnits(status: number | undefined, path: string | undefined): number | undefined {
  if (status === undefined) return undefined;
  if (status === 304 || (status >= 502 && status <= 504)) return 0;
  return path !== undefined && /^(?:\/api\/v3)?\/rate_limit(?:[?#]|$)/.test(path) ? 0 : 1;
}

/** What the status says; a 403 is a limit's if nothing remains or the words say so. */
function outcomeOf(status: number | undefined, remaining: number | undefined, words = ""): OutcomeKind | undefined {
  if (status === undefined) return undefined;
  if (status === 304) return "not-modified";
  if (status === 403 || status === 429) {
    if (/secondary rate|abuse detection/i.test(words)) return "secondary-limit";
    if (remaining === 0 || /rate limit (?:already )?exceeded/i.test(words)) return "primary-limit";
    return status === 429 ? "secondary-limit" : "client-error";
  }
  if (status >= 500) return "server-error";
  return status >= 400 ? "client-error" : status >= 300 ? "redirect" : "ok";
}

/** Clients write 0, or some code of theirs, where no answer came. */
function statusOf(value: unknown): number | undefined {
  const status = countOf(numberOf(typeof value === "string" ? /^\s*\d{3}\b/.exec(value)?.[0] : value));
  return status !== undefined && status >= 100 && status <= 599 ? status : undefined;
}

function durationOf(fields: PlainFields): number | undefined {
  const ms = numberOf(first(fields, ["durationms", "duration", "elapsedms", "latencyms", "tookms", "ms"]));
  const seconds = numberOf(first(fields, ["durations", "durationseconds", "elapsedseconds", "durationsec"]));
  return spanOf(ms ?? (seconds === undefined ? undefined : seconds * 1_000));
}

function priorityOf(value: unknown): Priority | undefined {
  const priority = typeof value === "string" ? numberOf(value.replace(/^p/i, "")) : value;
  return priority === 0 || priority === 1 || priority === 2 ? priority : undefined;
}
