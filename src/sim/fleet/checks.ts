import { checkRecord, optionError } from "../../options/check.js";

/** Throws a `SquadRateError` that names `path` for a value that may not stand there. */
export type Check = (path: string, value: unknown) => void;

/** A plain object with these keys and no others; those whose check is wrapped by {@link optional} may be left out. */
export function recordOf(checks: Readonly<Record<string, Check>>): Check {
  const known = Object.keys(checks);
  return (path, value) => {
    const record = checkRecord(path, value, known);
    for (const key of known) (checks[key] as Check)(`${path}.${key}`, record[key]);
  };
}

export function optional(check: Check): Check {
  return (path, value) => {
    if (value !== undefined) check(path, value);
  };
}

/** A number, both bounds allowed. */
export function numberFrom(min: number, max: number, unit: string): Check {
  return (path, value) => {
    if (typeof value === "number" && value >= min && value <= max) return;
    throw optionError(path, `a number of ${unit} from ${min} to ${max}`, value);
  };
}

export function wholeFrom(min: number, max: number, unit: string): Check {
  return (path, value) => {
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return;
    throw optionError(path, `a whole number of ${unit} from ${min} to ${max}`, value);
  };
}

export const share: Check = (path, value) => {
  if (typeof value === "number" && value >= 0 && value <= 1) return;
  throw optionError(path, "a share from 0 to 1", value, "Write 20 % as 0.2.");
};

export const flag: Check = (path, value) => {
  if (typeof value !== "boolean") throw optionError(path, "true or false", value);
};

export function oneOf(...choices: readonly (string | number)[]): Check {
  return (path, value) => {
    if (choices.includes(value as string)) return;
    throw optionError(path, `one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`, value);
  };
}

export function matching(pattern: RegExp, rule: string): Check {
  return (path, value) => {
    if (typeof value !== "string" || !pattern.test(value)) throw optionError(path, rule, value);
  };
}

export function listOf(check: Check, max: number): Check {
  return (path, value) => {
    if (!Array.isArray(value) || value.length > max) throw optionError(path, `a list of at most ${max}`, value);
    for (const [index, one] of value.entries()) check(`${path}[${index}]`, one);
  };
}

/** An object whose `kind` says which of the shapes it has. */
export function kindOf(shapes: Readonly<Record<string, Readonly<Record<string, Check>>>>): Check {
  const kind = oneOf(...Object.keys(shapes));
  const checks = new Map(Object.entries(shapes).map(([name, shape]) => [name, recordOf({ kind, ...shape })]));
  return (path, value) => {
    const given = typeof value === "object" && value !== null ? (value as { readonly kind?: unknown }).kind : undefined;
    if (typeof value !== "object" || value === null) throw optionError(path, "a plain object with a kind", value);
    kind(`${path}.kind`, given);
    checks.get(given as string)?.(path, value);
  };
}

/** `false`, or what `check` lets pass. */
export function falseOr(check: Check): Check {
  return (path, value) => {
    if (value !== false) check(path, value);
  };
}
