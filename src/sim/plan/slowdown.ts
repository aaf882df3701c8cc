const MOST = 1e9;
const STEPS = 40;

/**
 * How many times slower everything must go until `fits` (which holds for every longer slow-down, once it holds): 1 if it
 * fits as it is, `Infinity` if nothing helps, because others have used up a limit.
 */
export function slowdownThatFits(fits: (slowdown: number) => boolean): number {
  if (fits(1)) return 1;
  let tooFast = 1;
  let fitting = 2;
  while (!fits(fitting)) {
    if (fitting >= MOST) return Number.POSITIVE_INFINITY;
    tooFast = fitting;
    fitting *= 2;
  }
  for (let step = 0; step < STEPS; step++) {
    const middle = (tooFast + fitting) / 2;
    if (fits(middle)) fitting = middle;
    else tooFast = middle;
  }
  return fitting;
}
