/** Something whose cost per call is wanted. */
export interface Contestant {
  readonly name: string;
  /** How many calls it makes in one turn. */
  readonly calls: number;
  /** How many turns it takes in each round, where that is fewer than the others do. */
  readonly turns?: number;
  /** Makes that many calls, one after the other unless its name says otherwise. */
  run(calls: number): Promise<void>;
  /** After each turn, off the clock: throws when the calls did not do what the name says. */
  check?(calls: number): void;
}

/** How many rounds are measured, after how many that are not, and how many turns a round has. */
export interface Rounds {
  readonly warmUp: number;
  readonly measured: number;
  readonly turns: number;
}

/** What one contestant's calls took, in microseconds per call. */
export interface Measured {
  /** The mean of each round, rounds in order. */
  readonly means: readonly number[];
  /** The mean of the fastest twentieth of all turns: what a call takes while nothing else disturbs the machine. */
  readonly atBest: number;
}

/**
 * Lets all contestants take turns of a few milliseconds, so that whatever slows the machine for a while slows all of
 * them; some turns make a round, long enough for its mean to hold a fair share of garbage collection. The order moves on
 * by one each turn and turns round every other, so that nobody always follows the same neighbour.
 */
export async function runRounds(contestants: readonly Contestant[], rounds: Rounds): Promise<Map<string, Measured>> {
  const turns = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = -rounds.warmUp; round < rounds.measured; round++) {
    globalThis.gc?.();
    for (let turn = 0; turn < rounds.turns; turn++) {
      for (const contestant of inOrder(contestants, (round + rounds.warmUp) * rounds.turns + turn)) {
        if (turn >= turnsOf(contestant, rounds)) continue;
        const took = await microsPerCall(contestant);
        if (round >= 0) turns.get(contestant.name)?.push(took);
      }
    }
  }
  return new Map(
    contestants.map((contestant) => {
      const took = turns.get(contestant.name) ?? [];
      return [contestant.name, { means: meansOf(took, turnsOf(contestant, rounds)), atBest: fastest(took) }];
    }),
  );
}

function meansOf(took: readonly number[], turnsInRound: number): readonly number[] {
  const rounds = Array.from({ length: took.length / turnsInRound }, (_, round) =>
    took.slice(round * turnsInRound, (round + 1) * turnsInRound),
  );
  return rounds.map(mean);
}

function fastest(took: readonly number[]): number {
  const sorted = [...took].sort((a, b) => a - b);
  return mean(sorted.slice(0, Math.ceil(sorted.length / 20)));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function turnsOf({ turns }: Contestant, rounds: Rounds): number {
  return Math.min(turns ?? rounds.turns, rounds.turns);
}

function inOrder(contestants: readonly Contestant[], turn: number): readonly Contestant[] {
  const first = turn % contestants.length;
  const order = [...contestants.slice(first), ...contestants.slice(0, first)];
  return turn % 2 === 0 ? order : order.reverse();
}

async function microsPerCall(contestant: Contestant): Promise<number> {
  const startedAt = performance.now();
  await contestant.run(contestant.calls);
  const tookMs = performance.now() - startedAt;
  contestant.check?.(contestant.calls);
  return (tookMs * 1000) / contestant.calls;
}

/** Median, least and greatest of some numbers. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
  return { median, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}
