import type { ResolvedOptions } from "./resolved.js";

/**
 * Numbers objects in the order in which they are first seen, without keeping them alive: a name for what can only be
 * compared by identity.
 */
export class IdentityNumbers {
  readonly #numbers = new WeakMap<object, number>();
  #last = 0;

  of(object: object): number {
    let number = this.#numbers.get(object);
    if (number === undefined) {
      number = ++this.#last;
      this.#numbers.set(object, number);
    }
    return number;
  }
}

/**
 * A string that is equal for equal options: what `resolveOptions` made is compared by value; stores, clocks and
 * functions by identity, as numbered by `numbers`. Equal options in one registry belong to one squad.
 */
export function optionsKey(options: ResolvedOptions, numbers: IdentityNumbers): string {
  return JSON.stringify(comparable(options, numbers));
}

/**
 * Frozen plain objects (ours are) cannot change, so their parts say all there is to say; anything else may differ
 * without showing it. Entries are sorted, so that the order of writing does not matter.
 */
function comparable(value: unknown, numbers: IdentityNumbers): unknown {
  if (typeof value === "function") return { identity: numbers.of(value) };
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value) && Object.isFrozen(value)) return value.map((part) => comparable(part, numbers));
  if (!Object.isFrozen(value) || Object.getPrototypeOf(value) !== Object.prototype) {
    return { identity: numbers.of(value) };
  }
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => [name, comparable(part, numbers)]);
}
