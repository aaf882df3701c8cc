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
  const { refusedUntil, resource } = tracked;
  if (!tracked.isRefused(githubNow)) return undefined;
  const why = `${resource}: GitHub says that the rate limit is exceeded; resets in ${formatDuration(refusedUntil - githubNow)}; P${call.request.priority} waits`;
  return {
    kind: "wait",
    gate: "primary",
    untilAt: withRelease(engine, call, tracked, refusedUntil, githubNow),
    why,
  };
}
