import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { createRandom } from "../../src/sim/github/random.js";

/**
 * Makes all chance of the process follow from a seed. Limiters and members of pools name themselves by it, and names decide
 * who goes first where nothing else does.
 */
export function seedChance(seed: number): void {
  const random = createRandom(seed);
  Math.random = random;
  const randomBytes = (size: number): Buffer =>
    Buffer.from(Array.from({ length: size }, () => Math.floor(256 * random())));
  Object.assign(crypto, { randomBytes });
  syncBuiltinESMExports();
}
