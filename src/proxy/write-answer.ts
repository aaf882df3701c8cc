import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { type Answer, headersOf } from "../cache/answer.js";
import { TextResponse } from "../pipeline/text-response.js";
import { UpstreamResponse } from "./upstream-response.js";

/** They describe bytes as they came, which are not those that are written. */
const OF_THE_BODY: ReadonlySet<string> = new Set(["content-length", "content-encoding", "transfer-encoding"]);
/** More than a socket takes at once is written piece by piece, so that a reader who stands still is seen. */
const PIECE_BYTES = 65_536;

/** Writes an answer to its end, as fast as the client reads. Rejects when either side breaks off; the client's connection is cut then. */
export async function writeAnswer(response: ServerResponse, answer: Answer): Promise<void> {
  if (answer.kind === "stored") {
    writeHead(response, 200, "OK", headersOf(answer), Buffer.byteLength(answer.variant.body));
    await writeBytes(response, Buffer.from(answer.variant.body));
    return;
  }
  const source = answer.response;
  if (source instanceof UpstreamResponse && !source.isTouched) {
    await writeUnread(response, source);
    return;
  }
  if (source instanceof TextResponse) {
    const bytes = Buffer.from(await source.arrayBuffer());
    writeHead(response, source.status, source.statusText, source.headers, bytes.byteLength);
    await writeBytes(response, bytes);
    return;
  }
  writeHead(response, source.status, source.statusText, source.headers, undefined);
  const body = source.body as NodeReadableStream | null;
  if (body === null) response.end();
  else await pipeline(Readable.fromWeb(body), response);
}

/** The bytes as they came. */
export async function writeUnread(
  response: ServerResponse,
  { message, status, statusText, rawHeaders }: UpstreamResponse,
): Promise<void> {
  // What came without a date was sent so.
  response.sendDate = false;
  response.writeHead(status, statusText, rawHeaders as string[]);
  // Whoever waits for events wants to know at once that they will come.
  response.flushHeaders();
  await pipeline(message, response);
}

function writeHead(
  response: ServerResponse,
  status: number,
  statusText: string,
  headers: Iterable<readonly [string, string]>,
  length: number | undefined,
): void {
  const raw: string[] = [];
  let dated = false;
  for (const [name, value] of headers) {
    if (OF_THE_BODY.has(name)) continue;
    dated ||= name === "date";
    raw.push(name, value);
  }
  if (length !== undefined) raw.push("content-length", String(length));
  response.sendDate = !dated;
  response.writeHead(status, statusText, raw);
}

async function writeBytes(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (bytes.byteLength <= PIECE_BYTES) {
    response.end(bytes);
    return;
  }
  await pipeline(Readable.from(piecesOf(bytes), { objectMode: false }), response);
}

function* piecesOf(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
