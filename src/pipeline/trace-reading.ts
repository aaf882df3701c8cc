import { readRateLimit } from "../trace/reading.js";
import { type ReadingRecord, TRACE_VERSION } from "../trace/record.js";
import { readText } from "./answer-text.js";
import type { Call } from "./call.js";
import type { Engine } from "./engine.js";
import type { Principal } from "./principal.js";

/** GitHub's answer takes 3 kB. */
const MAX_BYTES = 65_536;

/** Whether this is an answer that says how much of each resource is used, for a trace that wants to know. */
export function isReading({ notes, facts }: Call, { status }: Response): boolean {
  return notes !== undefined && status === 200 && facts.costUnits === 0 && facts.route() === "GET /rate_limit";
}

/** Writes what it says, and gives the answer back as if nothing had been read. */
export async function traceReading(
  { trace, clock }: Engine,
  { host, id }: Principal,
  response: Response,
): Promise<Response> {
  const at = clock.now();
  const { text, response: unread } = await readText(response, MAX_BYTES);
  const resources = text === undefined ? undefined : readRateLimit(text);
  if (resources !== undefined) {
    const { machine, pid } = trace;
    const record: ReadingRecord = {
      v: TRACE_VERSION,
      kind: "reading",
      at,
      machine,
      pid,
      host,
      principal: id,
      resources,
    };
    trace.write(record);
  }
  return unread;
}
