import type { ClientName } from "./clients.js";
import type { FamilyName } from "./family-names.js";

/** How much of the benchmark. */
export interface Extent {
  /** Fewer sessions, for less time. */
  readonly short: boolean;
  readonly families: readonly FamilyName[];
  /** Of fleets that watch. */
  readonly sizes: readonly number[];
  readonly clients: readonly ClientName[];
  readonly seed: number;
  /** How many runs at once. */
  readonly atOnce: number;
}
