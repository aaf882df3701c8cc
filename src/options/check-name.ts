import { optionError } from "./check.js";
import { isCredential, mayBeCredential } from "./describe-value.js";

/** Control characters and line separators would break a line of a log or trace; lone surrogates are not text. */
const NOT_PRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
const MAX_LABEL = 200;

/** A name that goes into stores, traces and reports. */
export function checkLabel<F extends string | undefined>(path: string, value: unknown, fallback: F): string | F {
  if (value === undefined) return fallback;
  if (typeof value !== "string" || value.length > MAX_LABEL || NOT_PRINTABLE.test(value) || value.trim() === "") {
    throw optionError(path, `1 to ${MAX_LABEL} printable characters`, value);
  }
  return checkSecrecy(path, value);
}

/** Whether a name that was not given for it may stand in traces and events: printable, not too long, no credential. */
export function isPlainName(name: string): boolean {
  return name.length <= MAX_LABEL && !NOT_PRINTABLE.test(name) && !mayBeCredential(name);
}

/** Not every store takes longer keys, or other characters in them. */
const KEY_PART = /^[A-Za-z0-9._-]{1,64}$/;

/** A name that becomes part of keys in the store. */
export function checkKeyPart(path: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || !KEY_PART.test(value)) {
    throw optionError(path, "1 to 64 letters (A to Z, a to z), digits, dots, underscores or hyphens", value);
  }
  return checkSecrecy(path, value);
}

function checkSecrecy(path: string, name: string): string {
  if (!isCredential(name)) return name;
  throw optionError(path, "a name; it is written to stores and traces", name, "Pass a name, never a credential.");
}
