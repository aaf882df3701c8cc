import { publish } from "../events.js";
import { type Call, factsOf } from "./call.js";
import type { Engine } from "./engine.js";
import { isLimit } from "./judge.js";

/**
 * A call that failed is to be made again. After a refusal the gates say when, with everybody else's; after a failure it
 * is this call's own matter.
 */
export function putOff(
  { clock, quota }: Engine,
  call: Call,
  { afterMs, why }: { readonly afterMs: number; readonly why: string },
): void {
  const isHeld = isLimit(call) && areGatesShut(call, quota.clocks.now(call.facts.host));
  call.notBefore = isHeld ? undefined : { atMono: clock.monotonic() + afterMs, why: `${call.facts.resource}: ${why}` };
  publish("squad-rate:decision", () => ({
    ...factsOf(call),
    decision: "retry",
    why,
    untilAt: clock.now() + afterMs,
  }));
}

function areGatesShut({ principal, facts }: Call, githubNow: number): boolean {
  if (principal === undefined) return false;
  return principal.cooldown.until() > 0 || principal.windows.get(facts.resource)?.isRefused(githubNow) === true;
}
