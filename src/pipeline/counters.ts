/** What a squad has done since it was made. */
export interface Counters {
  /** Logical requests by callers. */
  calls: number;
  /** Physical requests sent. */
  exchanges: number;
  /** Answers that GitHub charged nothing for. */
  notModified: number;
  /** Units of primary quota charged by GitHub's rules, all resources together. */
  chargedUnits: number;
  /** Answers that said a limit is exceeded. */
  refusedByGithub: number;
  /** Calls that had to wait before they were sent. */
  waited: number;
  /** Calls that this squad refused. */
  refused: number;
  /** Attempts that were made after one had failed. */
  retried: number;
  /** Exchanges without an answer. */
  failed: number;
}

export function createCounters(): Counters {
  return {
    calls: 0,
    exchanges: 0,
    notModified: 0,
    chargedUnits: 0,
    refusedByGithub: 0,
    waited: 0,
    refused: 0,
    retried: 0,
    failed: 0,
  };
}
