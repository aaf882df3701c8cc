/** Chance, as the generator uses it. */
export interface Dice {
  /** True in `share` (0–1) of the throws. */
  chance(share: number): boolean;
  /** A whole number from 0 to `count - 1`. */
  below(count: number): number;
  pick<T>(from: readonly T[]): T;
  /** One of the keys; a weight is how often it comes, measured by the others. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
}

export function createDice(random: () => number): Dice {
  const below = (count: number): number => Math.floor(random() * count);
  return {
    chance: (share) => random() < share,
    below,
    pick: <T>(from: readonly T[]): T => from[below(from.length)] as T,
    weighted: <K extends string>(weights: Readonly<Record<K, number>>): K => {
      const entries = Object.entries<number>(weights) as [K, number][];
      let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, weight] of entries) {
        left -= weight;
        if (left < 0) return key;
      }
      return (entries.at(-1) as [K, number])[0];
    },
  };
}
