/**
 * How many agents of each kind there are among `total`, in the proportions of a scenario; 1 to 1 if it has no agents. One
 * more in total is always one more of one kind, and none less of another (Sainte-Laguë's rule), so that a larger fleet
 * never asks for less.
 */
export function mixture(counts: readonly number[]): (total: number) => readonly number[] {
  const given = counts.reduce((sum, count) => sum + count, 0);
  const parts = given === 0 ? counts.map(() => 1) : counts;
  const divisor = parts.reduce(greatestCommonDivisor, 0);
  const round = parts.map((part) => part / divisor);
  const length = round.reduce((sum, part) => sum + part, 0);
  // The rule repeats itself after a round, so one is enough to know all.
  const order = round
    .flatMap((part, kind) => Array.from({ length: part }, (_, nth) => ({ kind, at: (nth + 0.5) / part })))
    .sort((a, b) => a.at - b.at || a.kind - b.kind);
  return (total) => {
    const rest = total % length;
    const mixed = round.map((part) => part * ((total - rest) / length));
    for (const { kind } of order.slice(0, rest)) mixed[kind] = (mixed[kind] ?? 0) + 1;
    return mixed;
  };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
