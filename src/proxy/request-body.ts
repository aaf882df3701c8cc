import type { IncomingMessage } from "node:http";
import { isGraphql, MAX_GRAPHQL_LENGTH } from "../adapter/graphql-in-body.js";
import type { OutgoingBody } from "./upstream.js";
import type { Visit } from "./visit.js";

/** As much of a request is held to be sent again where a limit refused it. */
const MAX_HELD_BYTES = MAX_GRAPHQL_LENGTH;

/** The body of a request to the API: held where it is small, and where a GraphQL operation's cost is told by its text. */
export async function readBody(visit: Visit, url: string): Promise<OutgoingBody> {
  if (!hasBody(visit.incoming)) return { kind: "none" };
  return isHeld(visit.incoming, url) ? await readHeld(visit) : streamedBody(visit);
}

/** The body as it comes. */
export function streamedBody(visit: Visit): OutgoingBody {
  const { incoming } = visit;
  if (!hasBody(incoming)) return { kind: "none" };
  return {
    kind: "stream",
    begun: [],
    source: incoming,
    length: lengthOf(incoming),
    begin: () => visit.askForBody(),
  };
}

/** Whether a request brings a body at all (RFC 9112 §6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function isHeld({ headers, method = "GET" }: IncomingMessage, url: string): boolean {
  const length = headers["content-length"];
  return length === undefined ? isGraphql(method, url) : Number(length) <= MAX_HELD_BYTES;
}

/** The whole body; what turns out to be too long is left to stream, what was read of it first. */
function readHeld(visit: Visit): Promise<OutgoingBody> {
  const { incoming, signal } = visit;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (body: OutgoingBody): void => {
      incoming.off("data", onData).off("end", onEnd);
      signal.removeEventListener("abort", onAbort);
      resolve(body);
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size <= MAX_HELD_BYTES) return;
      incoming.pause();
      done({ kind: "stream", begun: chunks, source: incoming, length: lengthOf(incoming), begin: () => undefined });
    };
    const onEnd = (): void =>
      done({ kind: "bytes", bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) });
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    visit.askForBody();
    incoming.on("data", onData).on("end", onEnd);
  });
}

function lengthOf({ headers }: IncomingMessage): string | undefined {
  return headers["content-length"];
}
