import { redact } from "../call/redact.js";
import { isSquadRateError } from "../errors.js";
import type { CallNotes, Writable } from "../trace/call-notes.js";
import type { CallRecord } from "../trace/record.js";
import type { Call } from "./call.js";
import type { Engine } from "./engine.js";
import { rounded } from "./trace-attempt.js";
import { factsForTrace, targetOf } from "./trace-facts.js";

/** How a call has ended for its caller. */
export type CallEnd = { readonly ok: true } | { readonly ok: false; readonly error: unknown };

/** Writes the record of a call that has ended; one whose request others still wait for, when that is over too. */
export function traceCall(engine: Engine, call: Call, notes: CallNotes, end: CallEnd): void {
  const durationMs = engine.clock.monotonic() - call.startedAt;
  const error = end.ok ? undefined : codeOf(call, notes, end.error);
  const finish = (): void => engine.trace.write(recordOf(engine, call, notes, durationMs, error));
  if (notes.underWay === 0) finish();
  else notes.finish = finish;
}

function recordOf(
  engine: Engine,
  call: Call,
  notes: CallNotes,
  durationMs: number,
  error: string | undefined,
): CallRecord {
  const { target } = targetOf(engine, call, notes);
  const record = factsForTrace(
    engine,
    call,
    notes,
    "call",
    notes.at,
    notes.resource ?? call.facts.resource,
    target,
  ) as Writable<CallRecord>;
  record.ok = error === undefined;
  record.attempts = call.exchanges;
  record.waitMs = rounded(call.waitMs);
  record.durationMs = rounded(durationMs);
  record.units = notes.units;
  if (notes.status !== undefined) record.status = notes.status;
  if (call.outcome !== undefined) record.cache = call.outcome;
  // Ours, but they quote names that others chose.
  if (notes.decision !== undefined) record.decision = { ...notes.decision, why: redact(notes.decision.why) };
  if (error !== undefined) record.error = error;
  return record;
}

/** A code and nothing else of an error: its message may quote what was sent. */
function codeOf(call: Call, { status, unanswered }: CallNotes, error: unknown): string {
  if (isSquadRateError(error)) return error.code;
  if (call.signal?.aborted === true) return "ABORTED";
  // Octokit gives a request without an answer the status 500.
  if (unanswered || call.ended?.outcome === "network-error") return "NETWORK";
  const told = status ?? statusOf(error);
  return told !== undefined && told >= 300 ? `HTTP_${told}` : "OTHER";
}

/** Of an error before anything was sent, such as auth's. */
function statusOf(error: unknown): number | undefined {
  const { status } = (error ?? {}) as { readonly status?: unknown };
  return typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined;
}
