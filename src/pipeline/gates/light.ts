import { decideLight } from "../../policy/light.js";
import type { PoolSpender } from "../../pool/pool-spender.js";
import type { Call } from "../call.js";
import type { Engine } from "../engine.js";
import type { TrackedWindow } from "../principal.js";
import { lightMode } from "../quota.js";
import type { MustWait } from "../wait-request.js";
import { withRelease } from "./release.js";

/** Where a pool divides the quota the light only shows how things are, unless its mode was chosen. */
export function lightGate(
  engine: Engine,
  call: Call,
  tracked: TrackedWindow,
  spender: PoolSpender | undefined,
  githubNow: number,
): MustWait | undefined {
  const { light } = engine.options;
  if (light === false || (spender !== undefined && light.mode === "auto")) return undefined;
  const decision = decideLight({
    window: tracked.window,
    reservedUnits: tracked.reservedUnits,
    windowMs: tracked.windowMs,
    resource: tracked.resource,
    githubNow,
    costUnits: call.costUnits,
    priority: call.request.priority,
    emergency: call.request.emergency,
    mode: lightMode(light, tracked),
    amberBelow: light.amberBelow,
    redBelow: light.redBelow,
    emergencyReserveUnits: light.emergencyReserveUnits,
  });
  if (decision.kind === "go") return undefined;
  const { untilAt, why } = decision;
  const { window } = tracked;
  const isReset = window !== undefined && untilAt >= window.resetAt;
  return {
    kind: "wait",
    gate: "light",
    untilAt: isReset
      ? withRelease(engine, call, tracked, untilAt, githubNow)
      : engine.clock.now() + untilAt - githubNow,
    why,
  };
}
