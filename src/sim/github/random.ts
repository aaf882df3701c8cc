/** A seeded stream of numbers in [0, 1); the same seed always gives the same stream. */
export type Random = () => number;

/** Mulberry32: small, fast, and good enough to shape latencies and identifiers (not for secrets). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `length` random hexadecimal digits. */
export function randomHex(random: Random, length: number): string {
  let digits = "";
  while (digits.length < length)
    digits += Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, "0");
  return digits.slice(0, length);
}

/** A sample of the normal distribution (Box-Muller). */
export function randomNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return radius * Math.cos(2 * Math.PI * random());
}
