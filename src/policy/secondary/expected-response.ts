/** How long answers take of late. Plain data. */
export interface ExpectedResponse {
  readonly ms: number;
  /** Answers that it is of, as far as they are counted. */
  readonly answers: number;
}

/** Before any answer has come: GitHub's usual times, which the first answers correct. */
export const FIRST_READS: ExpectedResponse = Object.freeze({ ms: 250, answers: 0 });
export const FIRST_QUERIES: ExpectedResponse = Object.freeze({ ms: 1_000, answers: 0 });

/** An answer among so many moves the expectation by its part; older ones fade. */
const REMEMBERED_ANSWERS = 128;

/** The expectation after an answer that took `tookMs`. */
export function learnResponse({ ms, answers }: ExpectedResponse, tookMs: number): ExpectedResponse {
  const counted = Math.min(REMEMBERED_ANSWERS, answers + 1);
  return { ms: ms + (tookMs - ms) / counted, answers: counted };
}
