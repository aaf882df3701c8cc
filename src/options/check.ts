import { type Clock, systemClock } from "../clock.js";
import { SquadRateError } from "../errors.js";
import { describeValue } from "./describe-value.js";
import { nearestKey } from "./nearest-key.js";
import type { Priority } from "./types.js";

/** Smallest and largest value allowed, both inclusive, and what is counted. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly unit: string;
}

/** The error for an option at `path` that must be `rule` and is not. */
export function optionError(path: string, rule: string, value: unknown, remedy?: string): SquadRateError {
  return new SquadRateError("SQUAD_RATE_OPTIONS", `${path} must be ${rule}; got ${describeValue(value)}.`, {
    remedy: remedy ?? `Give ${path} a value that is ${rule}, or leave it out for the default.`,
  });
}

/** Keys that stand one level down, by the option they stand in: a usual place to look for them in vain. */
export type KeyGroups = Readonly<Record<string, readonly string[]>>;

/**
 * The own keys and values of a plain object, read once, so that getters and later changes cannot matter. Throws for
 * anything else (arrays, maps, class instances, null) and for keys not in `known`.
 */
export function checkRecord(
  path: string,
  value: unknown,
  known: readonly string[],
  rule = "a plain object",
  groups: KeyGroups = {},
): Readonly<Record<string, unknown>> {
  const record = readOwn(path, value, rule);
  for (const key of Object.keys(record)) if (!known.includes(key)) throw unknownKey(path, key, known, groups);
  return record;
}

/** {@link checkRecord} without the look at the keys. */
export function readOwn(path: string, value: unknown, rule: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw optionError(path, rule, value);
  try {
    // A prototype without one of its own is Object.prototype, also that of another realm.
    const prototype: unknown = Object.getPrototypeOf(value);
    if (!Array.isArray(value) && (prototype === null || Object.getPrototypeOf(prototype) === null)) return { ...value };
  } catch (cause) {
    throw new SquadRateError("SQUAD_RATE_OPTIONS", `${path} could not be read: a getter or proxy threw.`, {
      cause,
      remedy: `Pass ${path} as a plain object.`,
    });
  }
  throw optionError(path, rule, value);
}

/** The error for `key` under `path`, with the known key that was probably meant. */
export function unknownKey(
  path: string,
  key: string,
  known: readonly string[],
  groups: KeyGroups = {},
): SquadRateError {
  const group = Object.keys(groups).find((name) => groups[name]?.includes(key));
  const meant = group === undefined ? nearestKey(key, known) : `${group}.${key}`;
  const quoted = describeValue(key);
  const shown = quoted === `"${key}"` && /^[\w$]+$/.test(key) ? `${path}.${key}` : `${path}[${quoted}]`;
  return new SquadRateError(
    "SQUAD_RATE_OPTIONS",
    `${shown}: unknown option${meant === undefined ? "." : `; did you mean \`${meant}\`?`}`,
    { remedy: `The options here are: ${known.join(", ")}.` },
  );
}

/** What can be switched on and off or tuned by an object, as that object; `false` is the caller's to see before. */
export function checkSwitch(path: string, value: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (value === undefined || value === true) return {};
  return checkRecord(path, value, known, "true, false or a plain object of options");
}

export function checkBoolean(path: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value !== "boolean") throw optionError(path, "true or false", value);
  return value;
}

export function checkChoice<T extends string, F extends string>(
  path: string,
  value: unknown,
  choices: readonly T[],
  fallback: F,
): T | F {
  return value === undefined ? fallback : requireChoice(path, value, choices);
}

/** One of a few words. */
export function requireChoice<T extends string>(path: string, value: unknown, choices: readonly T[]): T {
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  const quoted = choices.map((choice) => `"${choice}"`);
  throw optionError(path, quoted.length > 2 ? `one of ${quoted.join(", ")}` : quoted.join(" or "), value);
}

export function checkInteger(path: string, value: unknown, bounds: Bounds, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value !== "number" || !Number.isInteger(value) || value < bounds.min || value > bounds.max) {
    throw optionError(path, `a whole number of ${bounds.unit} from ${bounds.min} to ${bounds.max}`, value);
  }
  return value + 0; // -0 is 0
}

export function checkShare(path: string, value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value !== "number" || !(value >= 0 && value <= 1)) {
    throw optionError(path, "a share from 0 to 1", value, `Write 20 % as 0.2, or leave ${path} out for the default.`);
  }
  return value + 0;
}

export function checkPriority(path: string, value: unknown, fallback: Priority): Priority {
  switch (value) {
    case undefined:
      return fallback;
    case 0:
    case "P0":
      return 0;
    case 1:
    case "P1":
      return 1;
    case 2:
    case "P2":
      return 2;
    default:
      throw optionError(path, "0, 1 or 2 (or P0, P1, P2)", value);
  }
}

export function checkFunction<T>(path: string, value: T | undefined, fallback: T): T {
  if (value === undefined) return fallback;
  if (typeof value !== "function") throw optionError(path, "a function", value);
  return value;
}

/** The path of a file; a `~` is left for whoever opens it. */
export function checkPath(path: string, file: unknown): string | undefined {
  if (file === undefined) return undefined;
  if (typeof file !== "string" || file === "" || file.includes("\0")) {
    throw optionError(path, "the path of a file, at least one character and none of them NUL", file);
  }
  return file;
}

export function checkClock(path: string, value: unknown): Clock {
  if (value === undefined) return systemClock;
  checkMethods(path, value, ["now", "monotonic", "timer"], "a clock");
  return value as Clock;
}

/** An object, of whatever class, with these methods. */
export function checkMethods(path: string, value: unknown, methods: readonly string[], what: string): void {
  if (hasMethods(value, methods)) return;
  throw optionError(path, `${what}, with ${methods.map((name) => `${name}()`).join(", ")}`, value);
}

export function hasMethods(value: unknown, methods: readonly string[]): boolean {
  return methods.every((name) => typeof propertyOf(value, name) === "function");
}

/** A property of an object of whatever class; undefined for what has none, a getter or proxy that throws included. */
export function propertyOf(value: unknown, name: string): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  try {
    return (value as Readonly<Record<string, unknown>>)[name];
  } catch {
    return undefined;
  }
}
