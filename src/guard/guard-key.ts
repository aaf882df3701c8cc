import { createHash } from "node:crypto";
import { fingerprint } from "../call/fingerprint.js";
import { SquadRateError } from "../errors.js";
import type { CheckedGuard, CheckedRead } from "./check-guard.js";

/** Say who asks, or nothing about what the answer is. */
const UNRELATED_HEADERS: readonly string[] = ["authorization", "x-github-otp", "user-agent"];

/** Names the reads, whatever the order in which their parameters were written. */
export function readsId(reads: readonly CheckedRead[]): string {
  try {
    return digest(
      JSON.stringify(
        reads.map(({ route, params }) => [route, essentials(params)]),
        canonical,
      ),
    );
  } catch (cause) {
    throw new SquadRateError("SQUAD_RATE_OPTIONS", "The parameters of a guard's read could not be read.", {
      cause,
      remedy: "Pass texts, numbers, lists and plain objects.",
    });
  }
}

/** The name of a guarded value, without the principal. */
export function guardId(reads: string, { key }: Pick<CheckedGuard, "key">): string {
  return key === undefined ? `reads ${reads}` : `key ${key}`;
}

/** The key under which the value of `guard` is kept for `owner`; nothing can be read out of it. */
export function guardKey(owner: string, guard: string): string {
  return fingerprint(JSON.stringify([owner, guard]));
}

/** Names the source text of a function: two functions that differ in it make different values, most likely. */
export function sourceId(produce: () => unknown): string {
  return digest(Function.prototype.toString.call(produce));
}

function essentials({ headers, ...params }: CheckedRead["params"]): Readonly<Record<string, unknown>> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    const known = name.toLowerCase();
    if (!UNRELATED_HEADERS.includes(known)) kept[known] = value;
  }
  return Object.keys(kept).length === 0 ? params : { ...params, headers: kept };
}

/** Objects with their keys in order; Octokit writes a bigint into the address as it does a number. */
function canonical(_name: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
