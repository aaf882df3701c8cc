import type { Place } from "./place.js";

/** How a value is come by, and where it is kept. */
export interface FlightPlan extends Place {
  readonly produce: () => unknown;
  /** When the reads began, in GitHub's time. */
  readonly lookedAt: number;
  /** How long to wait for another process that produces. */
  readonly waitMs: number;
  /** Others were waited for long enough. */
  readonly takesOver: boolean;
}
