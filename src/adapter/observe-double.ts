import { outcomeOf } from "../call/outcome.js";
import { bookAnswer } from "../pipeline/book-answer.js";
import type { Call } from "../pipeline/call.js";
import type { Engine } from "../pipeline/engine.js";

/** A test double or a wrap inside ours that answers without fetch: its headers are all there is to observe. */
export function observeDouble(engine: Engine, call: Call, response: unknown): void {
  if (call.exchanges > 0 || call.outcome !== undefined) return;
  const { status, headers } = (response ?? {}) as { status?: unknown; headers?: unknown };
  if (typeof status !== "number" || typeof headers !== "object" || headers === null) return;
  const record = headers as Readonly<Record<string, unknown>>;
  const reader = { get: (name: string) => (record[name] === undefined ? undefined : String(record[name])) };
  const principal = engine.quota.principal(call.facts.host, call.source.installation ?? "unseen");
  bookAnswer(engine, call, principal, {
    status,
    redirected: "no",
    headers: reader,
    outcome: outcomeOf({ api: call.facts.api, status, headers: reader, text: undefined }, engine.clock.now()),
    authorised: true,
    sent: engine.quota.clocks.sent(),
  });
}
