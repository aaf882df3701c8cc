import {
  checkBoolean,
  checkChoice,
  checkClock,
  checkFunction,
  checkInteger,
  checkPriority,
  checkRecord,
  checkShare,
  checkSwitch,
  optionError,
} from "./check.js";
import { checkLabel } from "./check-name.js";
import {
  GRAPHQL_KEYS,
  PACING_KEYS,
  RETRY_KEYS,
  resolveDependsOn,
  resolveGraphql,
  resolvePacing,
  resolveRetry,
  resolveSecondary,
  SECONDARY_KEYS,
} from "./resolve-limits.js";
import { POOL_KEYS, resolvePool } from "./resolve-pool.js";
import { resolveStore } from "./resolve-store.js";
import { resolveTrace, TRACE_KEYS } from "./resolve-trace.js";
import type { ResolvedCacheOptions, ResolvedLightOptions, ResolvedOptions } from "./resolved.js";
import type { CacheOptions, LightOptions, Priority, SquadOptions } from "./types.js";

/** What the default agent name is made of. An argument, because not every runtime has `node:os`. */
export interface ProcessIdentity {
  readonly hostname: string;
  readonly pid: number;
}

/** Longest duration an answer may be kept for or be fresh: more is a slip of the unit. */
export const MAX_KEPT_MS: number = 365 * 24 * 3_600_000;
/** Longest wait: no limit of GitHub's lasts a day. */
export const MAX_WAIT_MS: number = 24 * 3_600_000;

const MIB = 2 ** 20;

const SQUAD_KEYS: readonly (keyof SquadOptions)[] = [
  "enabled",
  "agent",
  "priority",
  "session",
  "store",
  "storeTimeoutMs",
  "maxWaitMs",
  "cache",
  "light",
  "pool",
  "requestTimeoutMs",
  "retry",
  "breaker",
  "secondary",
  "pacing",
  "graphql",
  "dependsOn",
  "trace",
  "clock",
  "random",
  "fetch",
];
const CACHE_KEYS: readonly (keyof CacheOptions)[] = [
  "freshForMs",
  "maxStaleMs",
  "maxEntryBytes",
  "maxBytes",
  "store",
  "storeTtlMs",
];
const LIGHT_KEYS: readonly (keyof LightOptions)[] = ["mode", "amberBelow", "redBelow", "emergencyReserveUnits"];

/**
 * Checks `options` and fills in what is left out, from `environment` (where an empty variable counts as unset) and the
 * defaults. The result is frozen.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` that names the option or variable, its bound and the value.
 *
 * @example
 * ```ts
 * resolveOptions({ agent: "ralph" }, process.env, { hostname: hostname(), pid: process.pid }).maxWaitMs; // 60000
 * ```
 */
export function resolveOptions(
  options: SquadOptions | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  identity: ProcessIdentity,
): ResolvedOptions {
  const given = checkRecord(
    "squad",
    options === undefined ? {} : options,
    SQUAD_KEYS,
    "a plain object of options (to switch off, pass { enabled: false })",
    {
      cache: CACHE_KEYS,
      light: LIGHT_KEYS,
      pool: POOL_KEYS,
      retry: RETRY_KEYS,
      secondary: SECONDARY_KEYS,
      pacing: PACING_KEYS,
      graphql: GRAPHQL_KEYS,
      trace: TRACE_KEYS,
    },
  );
  const inEnvironment = (name: string): string | undefined => environment[name] || undefined;
  const store = resolveStore(given.store, inEnvironment("SQUAD_RATE_STORE"));

  return Object.freeze({
    enabled: checkBoolean("squad.enabled", given.enabled, true),
    agent:
      checkLabel("squad.agent", given.agent, undefined) ??
      checkLabel("SQUAD_RATE_AGENT", inEnvironment("SQUAD_RATE_AGENT"), undefined) ??
      defaultAgent(identity),
    priority: checkPriority(
      "squad.priority",
      given.priority,
      given.priority === undefined ? environmentPriority(inEnvironment("SQUAD_RATE_PRIORITY")) : 1,
    ),
    session:
      checkLabel("squad.session", given.session, undefined) ??
      checkLabel("SQUAD_RATE_SESSION", inEnvironment("SQUAD_RATE_SESSION"), undefined),
    store,
    storeTimeoutMs: checkInteger("squad.storeTimeoutMs", given.storeTimeoutMs, ms(1, 60_000), 250),
    maxWaitMs: checkInteger("squad.maxWaitMs", given.maxWaitMs, ms(0, MAX_WAIT_MS), 60_000),
    cache: resolveCache(given.cache),
    light: resolveLight(given.light),
    pool: resolvePool(given.pool),
    requestTimeoutMs: checkInteger("squad.requestTimeoutMs", given.requestTimeoutMs, ms(1_000, 600_000), 60_000),
    retry: resolveRetry(given.retry),
    breaker: checkBoolean("squad.breaker", given.breaker, true),
    secondary: resolveSecondary(given.secondary),
    pacing: resolvePacing(given.pacing),
    graphql: resolveGraphql(given.graphql),
    dependsOn: resolveDependsOn(given.dependsOn),
    trace: resolveTrace(given.trace, inEnvironment("SQUAD_RATE_TRACE")),
    clock: checkClock("squad.clock", given.clock),
    random: checkFunction("squad.random", given.random as ResolvedOptions["random"] | undefined, Math.random),
    fetch: checkFunction("squad.fetch", given.fetch as ResolvedOptions["fetch"], undefined),
  });
}

function ms(min: number, max: number): { min: number; max: number; unit: string } {
  return { min, max, unit: "milliseconds" };
}

function bytes(max: number): { min: number; max: number; unit: string } {
  return { min: 1, max, unit: "bytes" };
}

function environmentPriority(text: string | undefined): Priority {
  return checkPriority("SQUAD_RATE_PRIORITY", text !== undefined && /^[012]$/.test(text) ? Number(text) : text, 1);
}

/** A host name is not ours to complain about, so it is made to fit. */
function defaultAgent({ hostname, pid }: ProcessIdentity): string {
  const host = hostname.replace(/[^\x21-\x7e]/g, "").slice(0, 180);
  return `${host === "" ? "agent" : host}:${pid}`;
}

function resolveCache(cache: unknown): ResolvedCacheOptions | false {
  if (cache === false) return false;
  const given = checkSwitch("squad.cache", cache, CACHE_KEYS);
  const maxBytes = checkInteger("squad.cache.maxBytes", given.maxBytes, bytes(2 ** 40), 64 * MIB);
  const maxEntryBytes = checkInteger(
    "squad.cache.maxEntryBytes",
    given.maxEntryBytes,
    bytes(2 ** 29), // about the longest string an engine holds
    Math.min(2 * MIB, maxBytes),
  );
  if (maxEntryBytes > maxBytes) {
    throw optionError("squad.cache.maxEntryBytes", `at most squad.cache.maxBytes (${maxBytes} bytes)`, maxEntryBytes);
  }
  return Object.freeze({
    freshForMs: checkInteger("squad.cache.freshForMs", given.freshForMs, ms(0, MAX_KEPT_MS), 0),
    maxStaleMs: checkInteger("squad.cache.maxStaleMs", given.maxStaleMs, ms(0, MAX_KEPT_MS), 0),
    maxEntryBytes,
    maxBytes,
    store: checkBoolean("squad.cache.store", given.store, true),
    storeTtlMs: checkInteger("squad.cache.storeTtlMs", given.storeTtlMs, ms(1_000, MAX_KEPT_MS), 7 * 24 * 3_600_000),
  });
}

function resolveLight(light: unknown): ResolvedLightOptions | false {
  if (light === false) return false;
  const given = checkSwitch("squad.light", light, LIGHT_KEYS);
  const mode = checkChoice("squad.light.mode", given.mode, ["fixed", "glide"], "auto");
  const red = checkShare("squad.light.redBelow", given.redBelow, 0.05);
  const amberBelow = checkShare("squad.light.amberBelow", given.amberBelow, Math.max(0.2, red));
  const redBelow = given.redBelow === undefined ? Math.min(red, amberBelow) : red;
  if (redBelow > amberBelow) {
    throw optionError("squad.light.redBelow", `at most squad.light.amberBelow (${amberBelow})`, redBelow);
  }
  return Object.freeze({
    mode,
    amberBelow,
    redBelow,
    emergencyReserveUnits: checkInteger(
      "squad.light.emergencyReserveUnits",
      given.emergencyReserveUnits,
      { min: 0, max: 1_000_000, unit: "units" },
      10,
    ),
  });
}
