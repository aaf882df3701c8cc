import { isSquadRateError } from "../errors.js";
import { publish } from "../events.js";
import { earnRetries } from "../policy/retry-budget.js";
import { closedError, waitForPermit } from "./admit.js";
import { type Call, factsOf, type KeptBack } from "./call.js";
import type { Engine } from "./engine.js";
import { forgetArrival } from "./gates.js";
import { judge } from "./judge.js";
import { chooseLane, mayKeepPace, throughLane } from "./lanes.js";
import { putOff } from "./put-off.js";
import { traceCall } from "./trace-call.js";

/** How an adapter makes a call. */
export interface Making<T> {
  /** Enters the fetch seam with the same call. */
  readonly attempt: () => Promise<T>;
  /** What the client makes of an answer that the fetch seam kept back; nothing is sent. */
  readonly replay: (keptBack: KeptBack) => Promise<T>;
  /** Lets go of an answer that the caller will not see, because the call is made again. */
  readonly drop?: (value: T) => void;
}

/** How an attempt ended. */
type End<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/**
 * The life of a call, from the hook seam: attempted, admitted when an attempt has shown whose quota it needs and that
 * there is none to spare, judged, made again where that can help, and settled whatever comes of it.
 *
 * @throws SquadRateError when the squad does not let the call go; otherwise what the last attempt ended with.
 */
export async function run<T>(engine: Engine, call: Call, making: Making<T>): Promise<T> {
  if (engine.closed) {
    // A program that is told to end should not stumble over a refusal before its units are given back.
    await engine.closing;
    throw closedError();
  }
  engine.counters.calls++;
  engine.retryBudget = earnRetries(engine.retryBudget);
  let end: End<T>;
  try {
    end = await lastEnd(engine, call, making);
  } catch (error) {
    end = { ok: false, error };
  }
  settle(engine, call, end);
  if (!end.ok) throw end.error;
  return end.value;
}

/** The end that the caller is told: the first that nothing can be made better of. */
async function lastEnd<T>(engine: Engine, call: Call, making: Making<T>): Promise<End<T>> {
  await readGraphql(engine, call);
  if (mayKeepPace(engine, call)) await chooseLane(engine, call);
  /** Gives the latest answer or failure to the caller; undefined while there is none. */
  let tell: (() => Promise<End<T>> | End<T>) | undefined;
  for (;;) {
    call.ended = undefined;
    call.keptBack = undefined;
    const end = await endOf(
      call.permit === undefined ? making.attempt : () => throughLane(engine, call, making.attempt),
    );
    const verdict = judge(engine, call, !end.ok);
    if (verdict.kind !== "admit") {
      const { keptBack } = call;
      tell = keptBack === undefined ? () => end : () => endOf(() => making.replay(keptBack));
      if (verdict.kind === "done") return tell();
      putOff(engine, call, verdict);
    }
    call.needs = undefined;
    try {
      // Outside auth, so that no token grows old while the call waits.
      await waitForPermit(engine, call);
    } catch (error) {
      // Of two refusals GitHub's own says more than that there is no time to try again.
      if (tell !== undefined && isSquadRateError(error)) return tell();
      if (end.ok) making.drop?.(end.value);
      throw error;
    }
    if (verdict.kind !== "again") continue;
    engine.counters.retried++;
    if (end.ok) making.drop?.(end.value);
  }
}

/** What the call asks of GraphQL, which tells what to set aside for it. */
async function readGraphql({ graphql: desk }: Engine, call: Call): Promise<void> {
  const { graphqlRequest } = call;
  if (desk === undefined || graphqlRequest === undefined) return;
  if (!desk.isReady) await desk.load();
  call.graphql = desk.read(graphqlRequest);
}

async function endOf<T>(attempt: () => Promise<T>): Promise<End<T>> {
  try {
    return { ok: true, value: await attempt() };
  } catch (error) {
    return { ok: false, error };
  }
}

function settle(engine: Engine, call: Call, end: End<unknown>): void {
  if (engine.warnings.length > 0) {
    for (const warning of engine.warnings.splice(0)) call.source.log.warn(`squad-rate: ${warning}`);
  }
  forgetArrival(call);
  if (call.permit !== undefined) {
    // Nothing was sent with it: the answer was at hand, or the call failed before.
    call.permit.release(engine.quota.clocks.now(call.facts.host));
    call.permit = undefined;
    engine.room.poke();
  }
  publish("squad-rate:call", () => ({
    ...factsOf(call),
    ok: end.ok,
    outcome: call.outcome,
    exchanges: call.exchanges,
    waitMs: call.waitMs,
    durationMs: engine.clock.monotonic() - call.startedAt,
  }));
  if (call.notes !== undefined) traceCall(engine, call, call.notes, end);
}
