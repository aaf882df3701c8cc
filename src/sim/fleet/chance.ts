import { createRandom, type Random } from "../github/random.js";

/** A stream of chance for each purpose: what one part draws leaves the others' draws alone. */
export function chanceFor(seed: number, purpose: string): Random {
  let hash = 2_166_136_261;
  for (let index = 0; index < purpose.length; index++) {
    hash = Math.imul(hash ^ purpose.charCodeAt(index), 16_777_619);
  }
  return createRandom((hash ^ Math.imul(seed, 2_654_435_761)) >>> 0);
}

/** A wait for something that happens at random moments, `mean` apart. */
export function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random());
}
