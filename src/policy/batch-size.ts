/** How many items a query may ask for at once, as far as earlier ones have shown. */
export interface BatchSize {
  readonly atMost: number;
  /** When a query was last too much for GitHub, in milliseconds of whatever clock `now` is of; undefined: never. */
  readonly troubleAt: number | undefined;
}

/** No query asks for more items than this. */
export const MAX_BATCH_SIZE = 100;

/** Nothing has been too much yet. */
export const UNTRIED: BatchSize = Object.freeze({ atMost: MAX_BATCH_SIZE, troubleAt: undefined });

/** GitHub has busy minutes; trouble that is longer ago than this says little about now. */
const QUIET_MS: number = 10 * 60_000;

/**
 * After a query for `asked` items took too long or too much: half of them. A query that was sent when more was allowed does
 * not halve again what has been halved since.
 */
export function afterTrouble({ atMost }: BatchSize, asked: number, now: number): BatchSize {
  return { atMost: Math.min(atMost, Math.max(1, Math.floor(asked / 2))), troubleAt: now };
}

/**
 * After a query for `asked` items was answered: one more if it was as large as allowed, twice as many if there was no
 * trouble for ten minutes.
 *
 * Down by half and up by one settles just below what GitHub can bear, and spends few of the timeouts on finding out, which
 * cost units. The doubling is for trouble that was not the query's doing: once GitHub is well again, 25 items are reached
 * from one in five queries and not in 24.
 *
 * @example
 * ```ts
 * const size = afterTrouble(UNTRIED, 25, 0); // 12
 * afterAnswer(size, 12, 1_000); // 13
 * afterAnswer(size, 12, 600_000); // 24
 * afterAnswer(size, 5, 1_000); // 12: five items show nothing about twelve
 * ```
 */
export function afterAnswer(size: BatchSize, asked: number, now: number): BatchSize {
  const { atMost, troubleAt } = size;
  if (troubleAt === undefined || asked < atMost) return size;
  const larger = Math.min(MAX_BATCH_SIZE, now - troubleAt >= QUIET_MS ? 2 * atMost : atMost + 1);
  return larger === MAX_BATCH_SIZE ? UNTRIED : { atMost: larger, troubleAt };
}
