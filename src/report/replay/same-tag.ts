/** Characters of two entity tags that must agree: traces keep 16, and `W/"` takes three of them. */
const ENOUGH = 12;

/** Weak comparison of entity tags of which only beginnings are known. */
export function sameTagStart(a: string, b: string): boolean {
  const one = opaque(a);
  const other = opaque(b);
  const length = Math.min(one.length, other.length);
  return length < ENOUGH ? one === other : one.slice(0, length) === other.slice(0, length);
}

function opaque(tag: string): string {
  const strong = tag.startsWith("W/") ? tag.slice(2) : tag;
  return strong.startsWith('"') ? strong.slice(1).replace(/"$/, "") : strong;
}
