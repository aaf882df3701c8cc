import { formatDuration } from "../../policy/words.js";
import type { Call } from "../call.js";
import type { Engine } from "../engine.js";
import type { TrackedWindow } from "../principal.js";
import type { MustWait } from "../wait-request.js";
import { withRelease } from "./release.js";

/** After a secondary refusal, here or in another process of the pool, nobody sends for a while. */
export function cooldownGate(
  engine: Engine,
  call: Call,
  tracked: TrackedWindow,
  githubNow: number,
): MustWait | undefined {
  const { cooldown, pool } = tracked.principal;
  if (pool !== undefined) {
    const { agent, priority } = call.request;
    pool.membership.seen(agent, priority);
    pool.lookForCooldown(githubNow, {
      urgent: call.facts.kind === "write" || isSearch(call.facts.resource),
      again: call.firstWaitedAt !== undefined,
    });
  }
  const until = cooldown.until();
  if (githubNow >= until) return undefined;
  return {
    kind: "wait",
    gate: "cooldown",
    untilAt: withRelease(engine, call, tracked, until, githubNow),
    why: `${cooldown.why()}; everybody holds back for another ${formatDuration(until - githubNow)}; P${call.request.priority} waits`,
  };
}

function isSearch(resource: string): boolean {
  return resource === "search" || resource === "code_search";
}
