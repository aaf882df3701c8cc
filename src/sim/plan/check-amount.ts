import { optionError } from "../../options/check.js";

/** What an amount may be, both bounds included. */
export interface AmountBounds {
  /** Default 0. */
  readonly min?: number;
  /** Default 1,000,000,000: more is a slip of the pen. */
  readonly max?: number;
  readonly unit: string;
  /** Default false. */
  readonly whole?: boolean;
}

const MOST = 1_000_000_000;

/** A number, or `fallback` if there is none. */
export function checkAmount(path: string, value: unknown, bounds: AmountBounds, fallback: number): number {
  return value === undefined ? fallback : requireAmount(path, value, bounds);
}

/** A number that must be there. */
export function requireAmount(
  path: string,
  value: unknown,
  { min = 0, max = MOST, unit, whole }: AmountBounds,
): number {
  if (typeof value === "number" && value >= min && value <= max && (!whole || Number.isInteger(value)))
    return value + 0;
  const rule = `a ${whole ? "whole " : ""}number of ${unit} from ${min} to ${max}`;
  throw optionError(path, rule, value, `Give ${path} a value that is ${rule}.`);
}

/** A share above 0: with none of it nothing would go at all. */
export function checkPart(path: string, value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && value > 0 && value <= 1) return value;
  throw optionError(
    path,
    "a share above 0, up to 1",
    value,
    `Write 90 % as 0.9, or leave ${path} out for the default.`,
  );
}
