import { checkBoolean, checkInteger, checkPriority, optionError, readOwn, unknownKey } from "./check.js";
import { checkLabel } from "./check-name.js";
import { MAX_KEPT_MS, MAX_WAIT_MS } from "./resolve.js";
import { MAX_RETRIES } from "./resolve-limits.js";
import type { ResolvedOptions, ResolvedRequestCache, ResolvedRequestOptions } from "./resolved.js";
import type { SquadRequestOptions } from "./types.js";

const REQUEST_KEYS: readonly (keyof SquadRequestOptions)[] = [
  "agent",
  "priority",
  "emergency",
  "session",
  "operation",
  "maxWaitMs",
  "retries",
  "cache",
];
const CACHE_KEYS: readonly string[] = ["freshForMs", "maxStaleMs"];
const WAIT = { min: 0, max: MAX_WAIT_MS, unit: "milliseconds" };
const RETRIES = { min: 0, max: MAX_RETRIES, unit: "retries" };
const KEPT = { min: 0, max: MAX_KEPT_MS, unit: "milliseconds" };
const BYPASS: ResolvedRequestCache = Object.freeze({ mode: "bypass", freshForMs: 0, maxStaleMs: 0 });
const REVALIDATE: ResolvedRequestCache = Object.freeze({ mode: "revalidate", freshForMs: 0, maxStaleMs: 0 });

/**
 * Returns what it is given. It is there for the compiler: `request` has an index signature in Octokit's types, so that
 * a misspelt key in a bare object would go unseen until the call is made.
 *
 * @example
 * ```ts
 * await octokit.request("GET /user", { request: { squad: squadRequest({ priority: 0, maxWaitMs: 5_000 }) } });
 * ```
 */
export function squadRequest(options: SquadRequestOptions): SquadRequestOptions {
  return options;
}

/** What a call is that says nothing for itself. Made once per squad. */
export function requestDefaults(options: ResolvedOptions): ResolvedRequestOptions {
  return Object.freeze({
    agent: options.agent,
    priority: options.priority,
    emergency: false,
    session: options.session,
    operation: undefined,
    maxWaitMs: options.maxWaitMs,
    retries: options.retry === false ? 0 : options.retry.limit,
    cache:
      options.cache === false
        ? BYPASS
        : Object.freeze({
            mode: "use",
            freshForMs: options.cache.freshForMs,
            maxStaleMs: options.cache.maxStaleMs,
          }),
  });
}

/**
 * Checks what a call says for itself and fills in the rest; `defaults` itself where it says nothing. Nothing is
 * remembered between calls: the caller may change the object it passes, and a check costs less than a microsecond.
 *
 * @param path - where the caller wrote it, for errors
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` that names the option, its bound and the value.
 */
export function resolveRequestOptions(
  given: unknown,
  defaults: ResolvedRequestOptions,
  path = "request.squad",
): ResolvedRequestOptions {
  if (given === undefined) return defaults;
  const own = readOwn(path, given, "a plain object of options");
  const resolved: { -readonly [K in keyof ResolvedRequestOptions]: ResolvedRequestOptions[K] } = { ...defaults };
  let changed = false;
  for (const key of Object.keys(own)) {
    const value = own[key];
    switch (key) {
      case "agent":
        resolved.agent = checkLabel(`${path}.agent`, value, defaults.agent);
        break;
      case "priority":
        resolved.priority = checkPriority(`${path}.priority`, value, defaults.priority);
        break;
      case "emergency":
        resolved.emergency = checkBoolean(`${path}.emergency`, value, false);
        break;
      case "session":
        resolved.session = checkLabel(`${path}.session`, value, defaults.session);
        break;
      case "operation":
        resolved.operation = checkLabel(`${path}.operation`, value, undefined);
        break;
      case "maxWaitMs":
        resolved.maxWaitMs = checkInteger(`${path}.maxWaitMs`, value, WAIT, defaults.maxWaitMs);
        break;
      case "retries":
        resolved.retries = checkInteger(`${path}.retries`, value, RETRIES, defaults.retries);
        break;
      case "cache":
        resolved.cache = requestCache(`${path}.cache`, value, defaults.cache);
        break;
      default:
        throw unknownKey(path, key, REQUEST_KEYS, { cache: CACHE_KEYS });
    }
    changed ||= value !== undefined;
  }
  return changed ? resolved : defaults;
}

function requestCache(path: string, value: unknown, defaults: ResolvedRequestCache): ResolvedRequestCache {
  if (value === undefined) return defaults;
  if (value === "bypass") return BYPASS;
  if (value === "revalidate") return defaults.mode === "bypass" ? BYPASS : REVALIDATE;
  const rule = '"revalidate", "bypass" or a plain object of options';
  if (typeof value !== "object" || value === null) throw optionError(path, rule, value);
  const own = readOwn(path, value, rule);
  for (const key of Object.keys(own)) if (!CACHE_KEYS.includes(key)) throw unknownKey(path, key, CACHE_KEYS);
  const durations = {
    freshForMs: checkInteger(`${path}.freshForMs`, own.freshForMs, KEPT, defaults.freshForMs),
    maxStaleMs: checkInteger(`${path}.maxStaleMs`, own.maxStaleMs, KEPT, defaults.maxStaleMs),
  };
  return defaults.mode === "bypass" ? BYPASS : { mode: "use", ...durations };
}
