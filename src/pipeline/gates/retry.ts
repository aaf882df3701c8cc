import type { Call } from "../call.js";
import type { Engine } from "../engine.js";
import type { MustWait } from "../wait-request.js";

/** A call that failed is not sent again before its time. */
export function retryGate({ clock }: Engine, { notBefore }: Call): MustWait | undefined {
  if (notBefore === undefined) return undefined;
  const leftMs = notBefore.atMono - clock.monotonic();
  return leftMs <= 0 ? undefined : { kind: "wait", gate: "retry", untilAt: clock.now() + leftMs, why: notBefore.why };
}
