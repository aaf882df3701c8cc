/** What the flags of `simulate fleet` say. */
export interface FleetFlags {
  readonly sessions: number;
  readonly minutes: number;
  readonly client: FleetClientName;
  readonly workload: "quiet" | "measured" | "reactive";
  readonly changes: number;
  readonly processes: number;
  readonly seed: number;
  readonly json?: boolean;
}

/** Plain: Octokit as it comes. */
export type FleetClientName = "squad" | "squad-each" | "plain";
