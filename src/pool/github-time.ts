/** GitHub's clock as one process knows it. Epoch milliseconds. */
export interface GitHubTime {
  /** By monotonic time since an answer named it; setting this machine's clock does not move it, and neither does sleep. */
  now(): number;
  /** Whether an answer has named it, and nothing has happened to this machine's clocks since. */
  known(): boolean;
  /**
   * How far the wall clock has moved against the monotonic one since an answer named the time: forwards when the machine
   * slept or its clock was set, and nobody can tell which.
   */
  jumpMs(): number;
}

/** Timers and answers are late by less; the guard at a window's edge is two seconds. */
const JUMP_MS = 1_000;

/** Whether the clocks of this machine have come apart, so that what was granted may have run out unseen. */
export function hasJumped(time: GitHubTime): boolean {
  return time.jumpMs() > JUMP_MS;
}
