/** Refuses a key that is not in `known`: `where` is what has such keys. */
export function checkKeys(where: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) throw new TypeError(`${where}: unknown key \`${name}\`; known are ${known.join(", ")}.`);
  }
}

/** `value`, which must be one of a few. */
export function checkOneOf<T>(where: string, name: string, value: T, allowed: readonly T[]): T {
  if (allowed.includes(value)) return value;
  const said = allowed.map((one) => JSON.stringify(one)).join(", ");
  throw new TypeError(`${where}: \`${name}\` must be one of ${said}, not ${shown(value)}.`);
}

/** `value`, which must be a number no less than `min`. */
export function checkAtLeast(where: string, name: string, value: number, min: number): number {
  if (typeof value === "number" && value >= min) return value;
  const bound = min === 0 ? "must not be negative" : `must be at least ${min}`;
  throw new RangeError(`${where}: \`${name}\` must be a number and ${bound}, but is ${shown(value)}.`);
}

/** `value`, which must be a number that is neither NaN nor infinite. */
export function checkFinite(where: string, name: string, value: number): number {
  if (Number.isFinite(value)) return value;
  throw new RangeError(`${where}: \`${name}\` must be a number, but is ${shown(value)}.`);
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
