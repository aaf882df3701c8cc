import type { IncomingMessage } from "node:http";
import { isGraphql, MAX_GRAPHQL_LENGTH } from "../adapter/graphql-in-body.js";
import type { OutgoingBody } from "./upstream.js";

/** As much of a request is held to be sent again where a limit refused it. */
const MAX_HELD_BYTES = MAX_GRAPHQL_LENGTH;

/** Whether a request of the API is read before it is sent: what is small, and GraphQL, whose cost is told by its text. */
export function isHeld(incoming: IncomingMessage, url: string): boolean {
  const { headers, method = "GET" } = incoming;
  // What is compressed cannot be read here, and it goes on as it is.
  if (headers["content-encoding"] !== undefined) return false;
  const length = headers["content-length"];
  if (length !== undefined) return Number(length) <= MAX_HELD_BYTES;
  return headers["transfer-encoding"] !== undefined && isGraphql(method, url);
}

/** Whether a request brings a body at all (RFC 9112 §6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** The whole body; what turns out to be too long is left to stream, what was read of it first. */
export async function readHeld(incoming: IncomingMessage): Promise<OutgoingBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).byteLength;
    if (size > MAX_HELD_BYTES) {
      return streamed(incoming, chunks);
    }
  }
  if (!incoming.complete) throw new Error("The client left before its request was complete.");
  return { kind: "bytes", bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) };
}

/** The body as it comes, after what was read of it. */
export function streamed(incoming: IncomingMessage, begun: readonly Buffer[] = []): OutgoingBody {
  return { kind: "stream", begun, source: incoming, length: incoming.headers["content-length"] };
}
