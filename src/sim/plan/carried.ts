/** More agents than this on one token are not planned for: nothing that they do comes near any limit. */
export const MOST_AGENTS = 10_000_000;

/**
 * The most agents that fit: `fits(n)` holds and `fits(n + 1)` does not. `Infinity` if {@link MOST_AGENTS} fit, and 0 if
 * not even one does.
 */
export function carried(fits: (agents: number) => boolean): number {
  let fitting = 0;
  let tooMany = 1;
  while (fits(tooMany)) {
    if (tooMany >= MOST_AGENTS) return Number.POSITIVE_INFINITY;
    fitting = tooMany;
    tooMany = Math.min(MOST_AGENTS, tooMany * 2);
  }
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}
