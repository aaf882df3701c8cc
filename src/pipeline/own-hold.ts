import { type Call, type CallSource, NO_PLUGINS } from "./call.js";
import type { Engine } from "./engine.js";
import { breakerGate } from "./gates/breaker.js";
import { cooldownGate } from "./gates/cooldown.js";
import { lightGate } from "./gates/light.js";
import { primaryGate } from "./gates/primary.js";
import type { TrackedWindow } from "./principal.js";
import { startCall } from "./start-call.js";
import type { MustWait } from "./wait-request.js";
import type { Held } from "./work.js";

const NOBODY: CallSource = {
  installation: undefined,
  inside: NO_PLUGINS,
  outside: NO_PLUGINS,
  log: { info: () => undefined, warn: () => undefined },
};

/** What would hold a read of the squad's own agent back now, of the quotas that it has used; the longest of several. */
export function ownHold(engine: Engine): Held | undefined {
  let longest: Held | undefined;
  for (const principal of engine.quota.principals()) {
    const githubNow = engine.quota.clocks.now(principal.host);
    for (const tracked of principal.windows.values()) {
      if (!tracked.isLong) continue;
      const held = holdOf(engine, tracked, githubNow);
      if (held !== undefined && (longest === undefined || held.until > longest.until)) longest = held;
    }
  }
  return longest;
}

function holdOf(engine: Engine, tracked: TrackedWindow, githubNow: number): Held | undefined {
  const call = readOf(engine, tracked);
  const { spender } = tracked;
  const breaker = breakerGate(engine, call, tracked, spender, githubNow);
  const word: MustWait | undefined =
    cooldownGate(engine, call, tracked, githubNow) ??
    primaryGate(engine, call, tracked, githubNow) ??
    lightGate(engine, call, tracked, spender, githubNow) ??
    (breaker.kind === "wait" ? breaker : undefined);
  if (word !== undefined) return { until: word.untilAt, why: word.why };
  const denial = spender?.denial(call.request.priority);
  return denial && { until: engine.clock.now() + denial.until - githubNow, why: denial.why };
}

/** A call that is never sent: the gates are asked what they would say to it. */
function readOf(engine: Engine, { principal, resource }: TrackedWindow): Call {
  const url = `https://${principal.host}/`;
  const call = startCall(engine, NOBODY, { method: "GET", url, baseUrl: url }, NOTHING_SAID, undefined);
  // The first place of its class in the order after a reset, so that it is told the same whenever it asks.
  return { ...call, facts: { ...call.facts, resource }, principal, chance: 0 };
}

const NOTHING_SAID = { value: undefined, path: "squad" };
