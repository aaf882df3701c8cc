import { resumedResponse } from "../cache/rebuilt-response.js";
import { readRateLimit } from "../trace/reading.js";
import { TRACE_VERSION } from "../trace/record.js";
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

/** Writes what it says when the caller has read it, for whom it is as if nobody looked on. */
export async function traceReading(
  { trace, clock }: Engine,
  { host, id }: Principal,
  response: Response,
): Promise<Response> {
  const at = clock.now();
  const write = (text: string | undefined): void => {
    const resources = text === undefined ? undefined : readRateLimit(text);
    if (resources === undefined) return;
    const { machine, pid } = trace;
    trace.write({ v: TRACE_VERSION, kind: "reading", at, machine, pid, host, principal: id, resources });
  };
  const body: unknown = response.body;
  if (body instanceof ReadableStream) return body.locked ? response : overheard(response, body, write);
  const { text, response: unread } = await readText(response, MAX_BYTES);
  write(text);
  return unread;
}

/** The same answer, whose text is told when its end has come. To wait for it would hold up whoever wants the head alone. */
function overheard(
  response: Response,
  body: ReadableStream<Uint8Array>,
  tell: (text: string | undefined) => void,
): Response {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text: string | undefined = "";
  const read = async (): Promise<ReadableStreamReadResult<Uint8Array>> => {
    const chunk = await reader.read();
    if (chunk.done) tell(text);
    else if (text !== undefined) text += decoder.decode(chunk.value, { stream: true });
    if (text !== undefined && text.length > MAX_BYTES) text = undefined;
    return chunk;
  };
  return resumedResponse(response, [], { read, cancel: (reason) => reader.cancel(reason) });
}
