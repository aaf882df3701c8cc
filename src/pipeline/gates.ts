import type { PoolSpender } from "../pool/pool-spender.js";
import type { Call } from "./call.js";
import type { Engine } from "./engine.js";
import { breakerGate } from "./gates/breaker.js";
import { closingGate } from "./gates/closing.js";
import { cooldownGate } from "./gates/cooldown.js";
import { lightGate } from "./gates/light.js";
import { poolGate } from "./gates/pool.js";
import { primaryGate } from "./gates/primary.js";
import { releaseGate } from "./gates/release.js";
import { retryGate } from "./gates/retry.js";
import { contentGate, secondaryGate } from "./gates/secondary.js";
import { NOTHING_HELD, Permit } from "./permit.js";
import type { Principal, TrackedWindow } from "./principal.js";
import type { MustWait } from "./wait-request.js";

export { forgetArrival } from "./gates/pool.js";

/** A call may go, and holds what it needs. */
export interface Admitted {
  readonly kind: "go";
  readonly permit: Permit;
}

/** Whether a call may be sent now, gate by gate; on "go" what it needs is taken. */
export function passGates(engine: Engine, call: Call): Admitted | MustWait {
  const closed = closingGate(engine) ?? retryGate(engine, call);
  if (closed !== undefined) return closed;
  const principal = payerOf(engine, call);
  if (call.facts.exempt || principal === undefined) return { kind: "go", permit: new Permit(NOTHING_HELD) };
  const githubNow = engine.quota.clocks.now(principal.host);
  const tracked = principal.window(call.facts.resource);
  const spender = call.facts.costUnits > 0 ? engine.quota.spender(tracked) : undefined;
  return heldBack(engine, call, tracked, spender, githubNow) ?? take(engine, call, tracked, spender, githubNow);
}

/** What would hold a call back that was just refused: not what gates give may be lacking, but that they are shut. */
export function heldByGates(engine: Engine, call: Call): MustWait | undefined {
  const principal = payerOf(engine, call);
  if (call.facts.exempt || principal === undefined) return undefined;
  const githubNow = engine.quota.clocks.now(principal.host);
  const tracked = principal.window(call.facts.resource);
  return heldBack(engine, call, tracked, tracked.spender, githubNow);
}

/** What each gate that holds a call back has to say, for a person to read. */
export function explainGates(engine: Engine, call: Call): readonly string[] {
  const principal = payerOf(engine, call);
  if (call.facts.exempt || principal === undefined) return [];
  const githubNow = engine.quota.clocks.now(principal.host);
  const tracked = principal.window(call.facts.resource);
  const spender = tracked.spender;
  const breaker = breakerGate(engine, call, tracked, spender, githubNow);
  const words = [
    retryGate(engine, call),
    cooldownGate(engine, call, tracked, githubNow),
    primaryGate(engine, call, tracked, githubNow),
    releaseGate(engine, call, tracked, githubNow),
    lightGate(engine, call, tracked, spender, githubNow),
    breaker.kind === "wait" ? breaker : undefined,
    secondaryGate(engine, call, call.facts.secondary(), tracked),
  ];
  return words.filter((word) => word !== undefined).map(({ why }) => why);
}

/**
 * Whose quota a call counts against. One whose principal was forgotten while it held and wanted nothing of it, since it
 * joined another's exchange or waited out a cooldown, begins anew with it.
 */
function payerOf({ quota, closed }: Engine, call: Call): Principal | undefined {
  const { principal } = call;
  if (principal?.pool?.closed === true && !closed) call.principal = quota.principal(principal.host, principal.id);
  return call.principal;
}

/** The gates that only look, and are the same to all calls of a class. */
function heldBack(
  engine: Engine,
  call: Call,
  tracked: TrackedWindow,
  spender: PoolSpender | undefined,
  githubNow: number,
): MustWait | undefined {
  return (
    cooldownGate(engine, call, tracked, githubNow) ??
    primaryGate(engine, call, tracked, githubNow) ??
    releaseGate(engine, call, tracked, githubNow) ??
    lightGate(engine, call, tracked, spender, githubNow)
  );
}

/** The gates that give something; the last that takes is the first to give back. */
function take(
  engine: Engine,
  call: Call,
  tracked: TrackedWindow,
  spender: PoolSpender | undefined,
  githubNow: number,
): Admitted | MustWait {
  const breaker = breakerGate(engine, call, tracked, spender, githubNow);
  if (breaker.kind === "wait") return breaker;
  const { secondary } = tracked.principal;
  const secondaryCall = secondary.counts || call.lane !== "direct" ? call.facts.secondary() : undefined;
  const crowded = secondaryCall && secondaryGate(engine, call, secondaryCall, tracked);
  if (crowded !== undefined) return crowded;
  const pool = spender && poolGate(engine, call, tracked, spender, githubNow);
  if (pool?.kind === "wait") return pool;
  const written = secondaryCall && contentGate(engine, call, secondaryCall, tracked, githubNow);
  if (written?.kind === "wait") {
    pool?.pooled.spender.putBack(pool.pooled.ticket);
    return written;
  }
  const begunAt = secondaryCall === undefined ? 0 : secondary.begin(secondaryCall, call.lane);
  const { probe } = breaker;
  if (probe !== undefined) tracked.breaker.step({ kind: "probe-sent", probe }, githubNow);
  const units = call.costUnits;
  const { pooled } = pool ?? NO_POOL;
  const { content } = written ?? NO_CONTENT;
  return {
    kind: "go",
    permit: new Permit({ window: tracked, units, pooled, secondary: secondaryCall, begunAt, content, probe }),
  };
}

const NO_POOL = { pooled: undefined };
const NO_CONTENT = { content: undefined };
