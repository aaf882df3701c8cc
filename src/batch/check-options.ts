import { SquadRateError } from "../errors.js";
import { checkInteger, checkRecord, optionError, readOwn, unknownKey } from "../options/check.js";
import { checkLabel } from "../options/check-name.js";
import { type ResolvedRequestOptions, resolveRequestOptions, type SquadRequestOptions } from "../options.js";
import { MAX_BATCH_SIZE } from "../policy/batch-size.js";

/** A variable that the selections of all items may use. */
export interface BatchVariable {
  /** As GraphQL writes it: `String!`, `[IssueState!]`. */
  readonly type: string;
  readonly value: unknown;
}

/** Options of `octokit.squad.batch`. */
export interface BatchOptions {
  /**
   * How many items a query asks for at most, 1 to 100. It asks for fewer while GitHub finds that too much.
   * @defaultValue 25
   */
  readonly size?: number | undefined;
  /** Variables that selections may use as `$name`, by name. */
  readonly variables?: Readonly<Record<string, BatchVariable>> | undefined;
  /** Definitions of fragments that selections may use: `fragment Reviews on PullRequest { … }`. */
  readonly fragments?: string | undefined;
  /** What `octokit.graphql` takes as `request`; it goes with each query. */
  readonly request?: BatchRequestOptions | undefined;
  /** The queries' operation name, as events and GitHub see it. */
  readonly name?: string | undefined;
}

/** Octokit's options of a request. */
export interface BatchRequestOptions {
  /** Ends the batch: its iteration throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly squad?: SquadRequestOptions | undefined;
  readonly [key: string]: unknown;
}

/** The options as they were when the batch began. */
export interface CheckedOptions {
  readonly size: number;
  readonly variables: ReadonlyMap<string, BatchVariable>;
  readonly fragments: string;
  readonly request: BatchRequestOptions;
  readonly name: string | undefined;
}

const KEYS: readonly (keyof BatchOptions)[] = ["size", "variables", "fragments", "request", "name"];
const VARIABLE_KEYS: readonly (keyof BatchVariable)[] = ["type", "value"];
const SIZE = { min: 1, max: MAX_BATCH_SIZE, unit: "items" };
const DEFAULT_SIZE = 25;
const NAME = /^[A-Za-z_]\w*$/;
/** Octokit takes these for options of the request. https://github.com/octokit/graphql.js#variables */
const OCTOKITS: ReadonlySet<string> = new Set([
  "method",
  "baseUrl",
  "url",
  "headers",
  "request",
  "query",
  "mediaType",
  "operationName",
]);

/**
 * Checks the options of a batch, as far as that can be done without a parser.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` that names the option, its bound and the value.
 */
export function checkBatchOptions(given: unknown, defaults: ResolvedRequestOptions): CheckedOptions {
  const own = given === undefined ? {} : checkRecord("batch: options", given, KEYS);
  return {
    size: checkInteger("batch: options.size", own.size, SIZE, DEFAULT_SIZE),
    variables: checkVariables(own.variables),
    fragments: checkFragments(own.fragments),
    request: checkRequest(own.request, defaults),
    name: checkName(own.name),
  };
}

function checkVariables(given: unknown): ReadonlyMap<string, BatchVariable> {
  const path = "batch: options.variables";
  if (given === undefined) return new Map();
  const own = readOwn(path, given, "a plain object of variables by name");
  return new Map(Object.entries(own).map(([name, variable]) => [name, checkVariable(path, name, variable)]));
}

function checkVariable(path: string, name: string, given: unknown): BatchVariable {
  if (!NAME.test(name)) throw optionError(`The name of a variable in ${path}`, "letters, digits and _", name);
  if (OCTOKITS.has(name)) {
    throw new SquadRateError("SQUAD_RATE_OPTIONS", `${path}.${name}: Octokit takes ${name} for an option of its own.`, {
      remedy: "Call the variable something else.",
    });
  }
  const own = readOwn(`${path}.${name}`, given, "{ type, value }");
  for (const key of Object.keys(own)) {
    if (!(VARIABLE_KEYS as readonly string[]).includes(key)) throw unknownKey(`${path}.${name}`, key, VARIABLE_KEYS);
  }
  if (typeof own.type !== "string") throw optionError(`${path}.${name}.type`, "a type such as `String!`", own.type);
  return { type: own.type, value: own.value };
}

function checkFragments(given: unknown): string {
  if (given === undefined) return "";
  if (typeof given !== "string") throw optionError("batch: options.fragments", "a text with fragments", given);
  return given;
}

function checkRequest(given: unknown, defaults: ResolvedRequestOptions): BatchRequestOptions {
  const path = "batch: options.request";
  if (given === undefined) return {};
  const own = readOwn(path, given, "a plain object of request options");
  resolveRequestOptions(own.squad, defaults, `${path}.squad`);
  return own;
}

function checkName(given: unknown): string | undefined {
  const path = "batch: options.name";
  const name = checkLabel(path, given, undefined);
  if (name !== undefined && !NAME.test(name)) throw optionError(path, "letters, digits and _", given);
  return name;
}
