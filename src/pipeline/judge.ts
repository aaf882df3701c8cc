import { decideRetry } from "../policy/retry.js";
import type { Call } from "./call.js";
import type { Engine } from "./engine.js";
import { heldByGates } from "./gates.js";

/** What to do when an attempt has ended. */
export type Verdict =
  | { readonly kind: "done" }
  /** It only lacked a permit. */
  | { readonly kind: "admit" }
  /** It failed in a way that another attempt may mend. `held`: the gates say when, with everybody else. */
  | { readonly kind: "again"; readonly afterMs: number; readonly held: boolean; readonly why: string };

const DONE: Verdict = Object.freeze({ kind: "done" });
const ADMIT: Verdict = Object.freeze({ kind: "admit" });

/** Whether a call is over, from what its latest exchange said. `failed`: the attempt threw. */
export function judge(engine: Engine, call: Call, failed: boolean): Verdict {
  if (call.needs === "permit") return ADMIT;
  const { ended } = call;
  // Nothing was sent in this attempt, or an older answer stood in for one that failed.
  if (ended === undefined || (!failed && call.outcome === "stale")) return DONE;
  if (ended.outcome === "graphql-timeout" && call.dividesTimeouts) return DONE;
  if (ended.outcome === "ok" || ended.partly || call.isSpent || call.signal?.aborted === true) return DONE;
  // A retry plugin outside of this one does as its user told it, and sees failures only if they are let through.
  if (call.source.outside.retry && !isLimit(call)) return DONE;
  const { facts, principal, request } = call;
  const hold = isLimit(call) ? heldByGates(engine, call) : undefined;
  const decision = decideRetry({
    call: facts.kind === "write" ? "write" : facts.api === "graphql" ? "graphql-query" : "read",
    outcome: ended.outcome,
    attempt: call.attempts,
    priority: request.priority,
    requestRetries: call.retries,
    retryAfterMs: ended.retryAfterMs,
    heldMs: hold && hold.untilAt - engine.clock.now(),
    budget: engine.retryBudget,
    windowMs: principal?.window(facts.resource).windowMs ?? HOUR_MS,
    random: engine.options.random(),
  });
  // What cannot be waited for is told to the caller now, and costs the process none of its retries.
  if (decision.kind === "done" || decision.afterMs > request.maxWaitMs - call.waitMs) return DONE;
  engine.retryBudget = decision.budget;
  return { kind: "again", afterMs: decision.afterMs, held: hold !== undefined, why: decision.why };
}

const HOUR_MS = 3_600_000;

/** Whether a limit refused it. */
export function isLimit({ ended }: Call): boolean {
  return ended?.outcome === "primary-limit" || ended?.outcome === "secondary-limit";
}
