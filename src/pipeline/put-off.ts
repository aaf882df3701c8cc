import { publish } from "../events.js";
import { type Call, factsOf } from "./call.js";
import type { Engine } from "./engine.js";
import { noteDecision } from "./note-call.js";

/**
 * A call that failed is to be made again. Where the gates hold everybody back they say when; otherwise it is this call's
 * own matter.
 */
export function putOff(
  { clock }: Engine,
  call: Call,
  { afterMs, held, why }: { readonly afterMs: number; readonly held: boolean; readonly why: string },
): void {
  call.notBefore = held ? undefined : { atMono: clock.monotonic() + afterMs, why: `${call.facts.resource}: ${why}` };
  noteDecision(call, "retry", why);
  publish("squad-rate:decision", () => ({
    ...factsOf(call),
    decision: "retry",
    why,
    untilAt: clock.now() + afterMs,
  }));
}
