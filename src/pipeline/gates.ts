import { decideLight } from "../policy/light.js";
import type { PoolSpender } from "../pool/pool-spender.js";
import type { PrincipalPool } from "../pool/principal-pool.js";
import type { Call } from "./call.js";
import type { Engine } from "./engine.js";
import { Permit } from "./permit.js";
import type { Principal, TrackedWindow } from "./principal.js";
import { lightMode } from "./quota.js";
import type { MustWait } from "./wait-request.js";

/** A call may go, and holds what it needs. */
export interface Admitted {
  readonly kind: "go";
  readonly permit: Permit;
}

/** How often a call that waits while the squad is being closed is asked again, in vain; it is told when that is done. */
const CLOSING_MS = 1_000;

/** Whether a call may be sent now, gate by gate; on "go" its units are taken. */
export function passGates(engine: Engine, call: Call): Admitted | MustWait {
  if (engine.closed) {
    const untilAt = engine.clock.now() + CLOSING_MS;
    return { kind: "wait", gate: "closing", untilAt, brief: true, why: "this squad is being closed" };
  }
  const { facts } = call;
  const principal = payerOf(engine, call);
  if (facts.exempt || principal === undefined) return { kind: "go", permit: new Permit(undefined, 0, undefined) };
  const { quota } = engine;
  const { pool } = principal;
  const githubNow = quota.clocks.now(principal.host);
  if (pool !== undefined) {
    const cooling = cooldownGate(engine, call, pool, githubNow);
    if (cooling !== undefined) return cooling;
  }
  const tracked = principal.window(facts.resource);
  const spender = facts.costUnits > 0 ? quota.spender(tracked) : undefined;
  const light = lightGate(engine, call, tracked, spender, githubNow);
  if (light !== undefined) return light;
  if (spender === undefined) return { kind: "go", permit: new Permit(tracked, facts.costUnits, undefined) };
  return poolGate(engine, call, tracked, spender, githubNow);
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

/** A call will not be sent after all, or is sent without asking: the pool need not count it among those that wait. */
export function forgetArrival(call: Call): void {
  call.arrival?.spender.leave(call.arrival);
  call.arrival = undefined;
}

function cooldownGate(engine: Engine, call: Call, pool: PrincipalPool, githubNow: number): MustWait | undefined {
  const { agent, priority } = call.request;
  pool.membership.seen(agent, priority);
  pool.lookForCooldown(githubNow, call.facts.kind === "write" || isSearch(call.facts.resource));
  const until = pool.cooldown.until();
  if (githubNow >= until) return undefined;
  const untilAt = engine.clock.now() + until - githubNow;
  return { kind: "wait", gate: "cooldown", untilAt, why: pool.cooldown.why() };
}

/** Where a pool divides the quota the light only shows how things are, unless its mode was chosen. */
function lightGate(
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
    costUnits: call.facts.costUnits,
    priority: call.request.priority,
    emergency: call.request.emergency,
    mode: lightMode(light, tracked),
    amberBelow: light.amberBelow,
    redBelow: light.redBelow,
    emergencyReserveUnits: light.emergencyReserveUnits,
  });
  if (decision.kind === "go") return undefined;
  const untilAt = engine.clock.now() + decision.untilAt - githubNow;
  return { kind: "wait", gate: "light", untilAt, why: decision.why };
}

function poolGate(
  engine: Engine,
  call: Call,
  tracked: TrackedWindow,
  spender: PoolSpender,
  githubNow: number,
): Admitted | MustWait {
  const { priority } = call.request;
  const { costUnits } = call.facts;
  if (call.arrival?.spender !== spender) {
    forgetArrival(call);
    call.arrival = spender.arrive(priority, costUnits);
  }
  const word = spender.spend(call.arrival);
  if (word.kind === "go") {
    call.arrival = undefined;
    return { kind: "go", permit: new Permit(tracked, costUnits, { spender, priority, ticket: word.ticket }) };
  }
  const untilAt = Math.ceil(engine.clock.now() + word.untilAt - githubNow);
  return { kind: "wait", gate: "pool", untilAt, brief: word.brief, why: word.why() };
}

function isSearch(resource: string): boolean {
  return resource === "search" || resource === "code_search";
}
