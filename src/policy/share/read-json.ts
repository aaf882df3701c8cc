/** A document that is not what it should be; the message says where and why. */
export class Unreadable extends Error {}

/** No quota, and no sum of quotas, comes near this; no time that a machine with a working clock writes exceeds the other. */
const MAX_UNITS = 1e9;
const MAX_TIME_MS = 8.64e15;

/** Readers for one object of a document. Unknown keys are left alone: a newer minor version may have written them. */
export class Reader {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(value: unknown, path: string) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Unreadable(`${path} is ${kindOf(value)}, not an object`);
    }
    this.#object = value as Readonly<Record<string, unknown>>;
    this.#path = path;
  }

  /** The value of an own key; never something inherited, such as `constructor`. */
  get(key: string): unknown {
    return Object.hasOwn(this.#object, key) ? this.#object[key] : undefined;
  }

  entries(): readonly (readonly [string, unknown])[] {
    return Object.entries(this.#object);
  }

  number(key: string, max: number): number {
    const value = this.get(key);
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw new Unreadable(`${this.#path}.${key} is ${kindOf(value)}, not a number`);
    }
    if (value < 0 || value > max) throw new Unreadable(`${this.#path}.${key} is ${value}, outside 0 to ${max}`);
    return value;
  }

  units(key: string): number {
    return this.number(key, MAX_UNITS);
  }

  time(key: string): number {
    return this.number(key, MAX_TIME_MS);
  }

  timeOrNull(key: string): number | null {
    return this.get(key) === null ? null : this.time(key);
  }

  whole(key: string, max: number): number {
    const value = this.number(key, max);
    if (!Number.isInteger(value)) throw new Unreadable(`${this.#path}.${key} is ${value}, not a whole number`);
    return value;
  }

  text(key: string, maxLength: number): string {
    const value = this.get(key);
    if (typeof value !== "string") throw new Unreadable(`${this.#path}.${key} is ${kindOf(value)}, not a string`);
    if (value.length > maxLength) {
      throw new Unreadable(`${this.#path}.${key} has ${value.length} characters, more than ${maxLength}`);
    }
    return value;
  }
}

/** What something is, without quoting it: a foreign document may hold anything. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return `${value}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
