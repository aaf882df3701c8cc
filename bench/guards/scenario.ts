/** How often each session polls, as the measured squads did. */
export const POLL_MS = 30_000;

/** What clients are put through. */
export interface Scenario {
  readonly sessions: number;
  /**
   * Before anything is measured. First polls find everything new: fifty sessions' at once are more than GitHub lets through
   * in a minute.
   */
  readonly warmUpMs: number;
  /** How much time is measured after that. */
  readonly forMs: number;
  /** How many sessions, in turn, push or are commented on within each 30 s. */
  readonly changesPerPoll: number;
  /** Whether pollers begin at even distances over 30 s, or all at the same moment. */
  readonly start: "spread" | "together";
}
