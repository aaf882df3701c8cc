import { SquadRateError, type SquadRateErrorCode } from "../errors.js";
import { publish } from "../events.js";
import { formatDuration } from "../policy/words.js";
import { type Call, factsOf } from "./call.js";
import type { Engine } from "./engine.js";
import { expectedUnits } from "./expected-units.js";
import { type Admitted, explainGates, passGates } from "./gates.js";
import { noteDecision } from "./note-call.js";
import type { TrackedWindow } from "./principal.js";
import type { Gate, MustWait } from "./wait-request.js";

/** A call that has waited this long in all is mentioned in the log, once. */
const MENTION_AFTER_MS = 5_000;

/** Takes a permit if that is possible without waiting; otherwise says why not. */
export function tryAdmit(engine: Engine, call: Call): Admitted | MustWait {
  call.costUnits = expectedUnits(call);
  const word = passGates(engine, call);
  if (word.kind === "go") call.permit = word.permit;
  return word;
}

/**
 * Waits in the waiting room until `call` holds a permit.
 *
 * @throws SquadRateError when the wait is known to outlast `maxWaitMs`, or the squad is closed meanwhile; the signal's
 * reason as soon as the caller aborts.
 */
export async function waitForPermit(engine: Engine, call: Call): Promise<void> {
  const { clock, room, counters } = engine;
  const { agent, priority, maxWaitMs } = call.request;
  const enteredAt = clock.monotonic();
  call.firstWaitedAt ??= enteredAt;
  // The wait is one budget for the whole call, however often it has to queue.
  const deadlineAt = clock.now() + maxWaitMs - call.waitMs;
  let waiting: MustWait | undefined;
  let held: TrackedWindow | undefined;
  const decide = (): Admitted | MustWait => {
    const word = tryAdmit(engine, call);
    if (word.kind === "wait" && held === undefined && isForQuota(word)) {
      held = call.principal?.window(call.facts.resource);
      if (held !== undefined) {
        held.held[priority]++;
        held.principal.pool?.membership.changed();
      }
    }
    // What a store says within its timeout is no wait to speak of.
    if (word.kind === "wait" && word.brief !== true && word.untilAt <= deadlineAt) {
      const isFirst = waiting === undefined;
      waiting = word;
      // That it is tried again has been noted, and says more.
      if (word.gate !== "retry") noteDecision(call, "wait", word.why);
      if (isFirst)
        publish("squad-rate:decision", () => ({
          ...factsOf(call),
          decision: "wait",
          why: word.why,
          untilAt: word.untilAt,
        }));
    }
    return word;
  };
  const cancelMention =
    call.waitMs < MENTION_AFTER_MS
      ? clock.timer(
          MENTION_AFTER_MS - call.waitMs,
          () => {
            if (waiting !== undefined) mention(call, waiting);
          },
          { unref: true },
        )
      : undefined;
  try {
    const outcome = await room.wait<Admitted>({
      priority,
      agent,
      resource: call.facts.resource,
      signal: call.signal,
      deadlineAt,
      decide,
    });
    if (outcome.kind === "go") {
      if (waiting !== undefined) counters.waited++;
      return;
    }
    // One that has been sent is told what came of that, and counts as no refusal of ours.
    if (call.attempts === 0) counters.refused++;
    if (outcome.kind === "closed" || outcome.gate === "closing") throw closedError();
    noteDecision(call, "refuse", outcome.why);
    publish("squad-rate:decision", () => ({
      ...factsOf(call),
      decision: "refuse",
      why: outcome.why,
      untilAt: outcome.untilAt,
    }));
    throw refusal(engine, call, outcome);
  } finally {
    cancelMention?.();
    if (held !== undefined) {
      held.held[priority]--;
      held.principal.pool?.membership.changed();
    }
    call.waitMs += clock.monotonic() - enteredAt;
  }
}

/** What a call gets that comes after `close()`. */
export function closedError(): SquadRateError {
  return new SquadRateError("SQUAD_RATE_CLOSED", "This squad is closed and sends nothing any more.", {
    remedy: "Make calls before close(), or create another squad.",
  });
}

const CODES: { readonly [G in Gate]: SquadRateErrorCode } = {
  closing: "SQUAD_RATE_CLOSED",
  // Never shown: the caller gets what GitHub said.
  retry: "SQUAD_RATE_COOLDOWN",
  primary: "SQUAD_RATE_PRIMARY",
  cooldown: "SQUAD_RATE_COOLDOWN",
  release: "SQUAD_RATE_COOLDOWN",
  light: "SQUAD_RATE_LIGHT",
  breaker: "SQUAD_RATE_BREAKER",
  pacing: "SQUAD_RATE_SECONDARY",
  secondary: "SQUAD_RATE_SECONDARY",
  pool: "SQUAD_RATE_POOL",
};

/** Calls that wait for a reset or a cooldown's end start in order after it; a pause between writes is no such thing. */
function isForQuota({ gate, brief }: MustWait): boolean {
  return brief !== true && gate !== "pacing" && gate !== "secondary" && gate !== "retry" && gate !== "closing";
}

function refusal(
  engine: Engine,
  call: Call,
  { gate, untilAt, why }: { readonly gate: Gate; readonly untilAt: number; readonly why: string },
): SquadRateError {
  const now = engine.clock.now();
  const retryAfterMs = Math.max(0, untilAt - now);
  const { maxWaitMs } = call.request;
  return new SquadRateError(
    CODES[gate],
    `${call.facts.route()} was not sent: ${why}. ${
      gate === "pool" ? "The pool may be asked again" : "It may be sent"
    } in ${formatDuration(retryAfterMs)}, and maxWaitMs is ${maxWaitMs}.`,
    {
      resource: call.facts.resource,
      retryAt: untilAt,
      retryAfterMs,
      explain: [...new Set([why, ...explainGates(engine, call)])],
      remedy: `Try again at retryAt, ${pressing(call, gate)}.`,
    },
  );
}

/** What else there is to do for a call of this priority. */
function pressing(call: Call, gate: Gate): string {
  const { priority, emergency } = call.request;
  if (gate !== "light" && gate !== "pool" && gate !== "breaker") return "or raise maxWaitMs";
  if (priority > 0) return "raise maxWaitMs, or give the call priority 0 if it is urgent";
  return emergency || gate !== "light"
    ? "or raise maxWaitMs"
    : "raise maxWaitMs, or set emergency: true if it cannot wait";
}

function mention(call: Call, { why }: MustWait): void {
  const { agent, maxWaitMs } = call.request;
  const soFar = formatDuration(MENTION_AFTER_MS);
  call.source.log.info(
    `squad-rate: ${agent} has waited ${soFar} of at most ${formatDuration(maxWaitMs)} to send ${call.facts.route()}: ${why}`,
  );
}
