import type { Extent } from "./extent.js";
import type { FamilyRuns } from "./runs.js";

/** Something that was to be shown, and what was found. */
export interface Target {
  readonly passed: boolean;
  readonly what: string;
  readonly found: string;
}

export function targetsOf(_measured: readonly FamilyRuns[], _extent: Extent): readonly Target[] {
  return [];
}
