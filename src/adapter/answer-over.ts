import type { Answer } from "../cache/answer.js";
import type { Call } from "../pipeline/call.js";
import type { Engine } from "../pipeline/engine.js";
import { discard, exchange } from "../pipeline/exchange.js";
import { run } from "../pipeline/run.js";
import type { Wire } from "../pipeline/wire.js";

/** Makes a call for a client without plugins of its own, such as a bare `fetch` or the proxy; each renders the answer itself. */
export function answerOver(engine: Engine, call: Call, wire: Wire): Promise<Answer> {
  return run(engine, call, {
    attempt: () => exchange(engine, call, wire),
    replay: async ({ response }): Promise<Answer> => ({ kind: "pass", response }),
    drop: discard,
  });
}
