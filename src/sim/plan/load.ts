/** So much in the mean of an hour, and how unevenly it comes. */
export interface Load {
  readonly mean: number;
  /** How much the sum of an hour varies: its mean squared deviation. */
  readonly variance: number;
}

export const NO_LOAD: Load = Object.freeze({ mean: 0, variance: 0 });

/** What comes at even distances. */
export function even(perHour: number, size = 1): Load {
  return { mean: perHour * size, variance: 0 };
}

/** What comes at random moments (Poisson), each of that size. */
export function random(perHour: number, size = 1): Load {
  return { mean: perHour * size, variance: perHour * size ** 2 };
}

export function together(loads: readonly Load[]): Load {
  return {
    mean: loads.reduce((sum, { mean }) => sum + mean, 0),
    variance: loads.reduce((sum, { variance }) => sum + variance, 0),
  };
}
