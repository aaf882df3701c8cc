import { formatDuration } from "../../policy/words.js";
import type { Call } from "../call.js";
import type { Engine } from "../engine.js";
import type { TrackedWindow } from "../principal.js";
import type { MustWait } from "../wait-request.js";
import { withRelease } from "./release.js";

/**
 * Whatever the headers promise, and whichever parts are switched off: once GitHub has refused a request because a quota is
 * used up, more of them are refused until the reset.
 */
export function primaryGate(
  engine: Engine,
  call: Call,
  tracked: TrackedWindow,
  githubNow: number,
): MustWait | undefined {
  const { refusedUntil, refusedResetAt, resource } = tracked;
  if (!tracked.isRefused(githubNow)) return undefined;
  const end =
    refusedResetAt === undefined
      ? `and named no reset; nothing is sent for another ${formatDuration(refusedUntil - githubNow)}`
      : `which resets in ${formatDuration(refusedResetAt - githubNow)}`;
  return {
    kind: "wait",
    gate: "primary",
    untilAt: withRelease(engine, call, tracked, refusedUntil, githubNow),
    why: `${resource}: GitHub refused a request because the quota is used up, ${end}; P${call.request.priority} waits`,
  };
}
