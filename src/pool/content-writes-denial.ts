import type { ContentLimits } from "../policy/content-writes.js";
import type { Priority } from "../policy/light.js";

/** The document's latest word to those that got nothing. */
export interface ContentDenial {
  /** The most urgent class that it is for; it holds for the less urgent ones too. */
  readonly priority: Priority;
  /** GitHub's time. */
  readonly untilAt: number;
  readonly why: string;
  readonly limits: ContentLimits;
  /** Monotonic. */
  readonly heardMono: number;
}

/** Others give back what they do not use, and limits change: a call that comes after so long asks anew. */
const BELIEVED_MS = 10_000;

/** Whether a denial answers a call of this class. `now` is GitHub's time. */
export function isDenied(
  denial: ContentDenial,
  priority: Priority,
  limits: ContentLimits,
  now: number,
  nowMono: number,
): boolean {
  const { contentPerMinute, contentPerHour } = denial.limits;
  return (
    priority >= denial.priority &&
    now < denial.untilAt &&
    nowMono < denial.heardMono + BELIEVED_MS &&
    limits.contentPerMinute <= contentPerMinute &&
    limits.contentPerHour <= contentPerHour
  );
}
