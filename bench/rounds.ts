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

/** One contestant's mean cost per call in each round, in microseconds, rounds in order. */
export interface Means {
  /**
   * Processor time, all threads: what a call costs, garbage collection and compiling included. Other programs on the
   * machine disturb it far less than they do the elapsed time.
   */
  readonly cpu: readonly number[];
  /** Elapsed time: what a caller waits. The same, on an idle machine, for calls that never wait for anything. */
  readonly elapsed: readonly number[];
}

/**
 * Lets all contestants take turns of a few milliseconds, so that whatever slows the machine for a while slows all of
 * them; some turns make a round, long enough for its mean to hold a fair share of garbage collection. The order moves on
 * by one each turn and turns round every other, so that nobody always follows the same neighbour.
 */
export async function runRounds(contestants: readonly Contestant[], rounds: Rounds): Promise<Map<string, Means>> {
  const means = new Map(contestants.map(({ name }) => [name, { cpu: [] as number[], elapsed: [] as number[] }]));
  for (let round = -rounds.warmUp; round < rounds.measured; round++) {
    globalThis.gc?.();
    const sums = new Map(contestants.map(({ name }) => [name, { cpu: 0, elapsed: 0 }]));
    for (let turn = 0; turn < rounds.turns; turn++) {
      for (const contestant of inOrder(contestants, (round + rounds.warmUp) * rounds.turns + turn)) {
        if (turn >= turnsOf(contestant, rounds)) continue;
        const sum = sums.get(contestant.name) as { cpu: number; elapsed: number };
        const { cpu, elapsed } = await timed(contestant);
        sum.cpu += cpu;
        sum.elapsed += elapsed;
      }
    }
    if (round < 0) continue;
    for (const contestant of contestants) {
      const calls = contestant.calls * turnsOf(contestant, rounds);
      const { cpu, elapsed } = sums.get(contestant.name) as { cpu: number; elapsed: number };
      means.get(contestant.name)?.cpu.push(cpu / calls);
      means.get(contestant.name)?.elapsed.push(elapsed / calls);
    }
  }
  return means;
}

function turnsOf({ turns }: Contestant, rounds: Rounds): number {
  return Math.min(turns ?? rounds.turns, rounds.turns);
}

function inOrder(contestants: readonly Contestant[], turn: number): readonly Contestant[] {
  const first = turn % contestants.length;
  const order = [...contestants.slice(first), ...contestants.slice(0, first)];
  return turn % 2 === 0 ? order : order.reverse();
}

/** One turn; microseconds. */
async function timed(contestant: Contestant): Promise<{ readonly cpu: number; readonly elapsed: number }> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await contestant.run(contestant.calls);
  const elapsed = (performance.now() - startedAt) * 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  contestant.check?.(contestant.calls);
  return { cpu: user + system, elapsed };
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
