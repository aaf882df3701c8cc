import { decideBreaker } from "../../policy/breaker.js";
import type { PoolSpender } from "../../pool/pool-spender.js";
import type { Call } from "../call.js";
import type { Engine } from "../engine.js";
import type { TrackedWindow } from "../principal.js";
import type { MustWait } from "../wait-request.js";

/** Lets a call pass, as the one that finds out whether a breaker may close if `probe` is set. */
export interface BreakerPass {
  readonly kind: "pass";
  readonly probe: number | undefined;
}

const PASS: BreakerPass = Object.freeze({ kind: "pass", probe: undefined });

/** The breaker holds calls back where no pool divides the quota, or while its store is lost; else it only reports. */
export function breakerGate(
  engine: Engine,
  call: Call,
  tracked: TrackedWindow,
  spender: PoolSpender | undefined,
  githubNow: number,
): BreakerPass | MustWait {
  if (!engine.options.breaker || tracked.breaker.state.kind === "closed") return PASS;
  const decision = decideBreaker({
    resource: tracked.resource,
    state: tracked.breaker.at(githubNow),
    priority: call.request.priority,
    gates: spender === undefined || spender.state.lost,
    now: githubNow,
  });
  if (decision.kind === "go") return decision.probe === undefined ? PASS : { kind: "pass", probe: decision.probe };
  const untilAt = engine.clock.now() + decision.untilAt - githubNow;
  return { kind: "wait", gate: "breaker", untilAt, why: decision.why };
}
