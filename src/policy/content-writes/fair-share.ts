/** One of those that wait in a class. */
export interface Claim {
  readonly waiting: number;
  /** What it took of late. */
  readonly took: number;
}

/** Sums of shares are not whole. */
const ROUNDING = 1e-6;

/**
 * How many of `free` writes a claim gets. Who took least of late is brought up to the others first, so that asking again
 * brings nothing that is still somebody else's; but nobody gets more than an equal part at once, and whoever asks gets one
 * if there is one: the others may be gone.
 */
export function fairShare(free: number, own: Claim, rivals: readonly Claim[]): number {
  if (free <= 0) return 0;
  const equal = Math.ceil(free / (1 + rivals.length));
  return Math.min(own.waiting, equal, Math.max(1, duePart(free, own, rivals)));
}

/** How many of `free` writes are a claim's own when everybody is to have taken as much; 0 when the others come first. */
export function duePart(free: number, own: Claim, rivals: readonly Claim[]): number {
  if (free <= 0) return 0;
  const level = levelOf(free, [own, ...rivals]);
  return Math.ceil(Math.min(own.waiting, Math.max(0, level - own.took)) - ROUNDING);
}

/** Up to how much everybody can have taken when `free` are divided. */
function levelOf(free: number, claims: readonly Claim[]): number {
  const givenAt = (level: number): number =>
    claims.reduce((sum, { waiting, took }) => sum + Math.min(waiting, Math.max(0, level - took)), 0);
  // Between these the sum grows in a straight line.
  const bends = claims.flatMap(({ waiting, took }) => [took, took + waiting]).sort((one, other) => one - other);
  let low = bends[0] ?? 0;
  for (const high of bends) {
    const given = givenAt(high);
    if (given >= free) {
      const before = givenAt(low);
      return given === before ? high : low + ((high - low) * (free - before)) / (given - before);
    }
    low = high;
  }
  return low;
}
