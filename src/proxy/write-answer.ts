import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { type Answer, headersOf } from "../cache/answer.js";
import { TextResponse } from "../pipeline/text-response.js";
import { clientJsonStream } from "./addresses/json-address-stream.js";
import { clientJson } from "./addresses/json-addresses.js";
import { type Addresses, headerFor, rewritesBody } from "./addresses-for.js";
import { isDecodable } from "./content-coding.js";
import type { KeptBytes } from "./kept-bytes.js";
import { UpstreamResponse } from "./upstream-response.js";

/** More than a socket takes at once is written piece by piece, so that a reader who stands still is seen. */
const PIECE_BYTES = 65_536;

/**
 * Writes an answer to its end, as fast as the client reads. Rejects when either side breaks off, with the client's
 * connection cut, so that nobody takes half a body for a whole one.
 */
export async function writeAnswer(
  response: ServerResponse,
  answer: Answer,
  addresses: Addresses | undefined,
  kept: KeptBytes,
): Promise<void> {
  if (answer.kind === "stored") {
    const headers = headersOf(answer);
    const { variant } = answer;
    const bytes = rewritesBody(addresses, headers.get("content-type"))
      ? Buffer.from(clientJson(variant.body, addresses.roots))
      : kept.of(variant);
    await writeBytes(response, { status: 200, statusText: "OK", headers }, bytes, addresses);
    return;
  }
  const source = answer.response;
  const rewrites = rewritesBody(addresses, source.headers.get("content-type"));
  if (source instanceof UpstreamResponse && !source.isTouched && !(rewrites && source.hasBody)) {
    await writeUnread(response, source, addresses);
  } else if (source instanceof TextResponse && !rewrites) {
    await writeBytes(response, source, Buffer.from((await source.bytes()).buffer), addresses);
  } else {
    writeHead(response, source, undefined, addresses);
    if (source.body === null) response.end();
    else await writeStream(response, source.body as NodeReadableStream, rewrites ? addresses : undefined);
  }
}

/** The bytes as they came. */
export async function writeUnread(
  response: ServerResponse,
  source: UpstreamResponse,
  addresses: Addresses | undefined,
): Promise<void> {
  const { message, status, statusText, rawHeaders, headers, hasBody } = source;
  // What came without a date was sent so.
  response.sendDate = false;
  try {
    response.writeHead(status, statusText, addresses === undefined ? [...rawHeaders] : renamed(rawHeaders, addresses));
  } catch (error) {
    // Nobody will read it, and its connection would wait for that.
    message.destroy();
    throw error;
  }
  if (!hasBody) {
    response.end();
    return;
  }
  // Whoever waits for events wants to know at once that they will come.
  if (!headers.has("content-length")) response.flushHeaders();
  await pipeline(message, response);
}

interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Iterable<readonly [string, string]>;
}

function writeHead(
  response: ServerResponse,
  { status, statusText, headers }: Head,
  length: number | undefined,
  addresses: Addresses | undefined,
): void {
  const raw: string[] = [];
  let dated = false;
  for (const [name, value] of headers) {
    // They describe the bytes as they came, which are not those that are written.
    if (name === "content-length" || (name === "content-encoding" && isDecodable(value))) continue;
    dated ||= name === "date";
    raw.push(name, value);
  }
  if (length !== undefined) raw.push("content-length", String(length));
  response.sendDate = !dated;
  response.writeHead(status, statusText, addresses === undefined ? raw : renamed(raw, addresses));
}

async function writeBytes(
  response: ServerResponse,
  head: Head,
  bytes: Buffer,
  addresses: Addresses | undefined,
): Promise<void> {
  writeHead(response, head, bytes.byteLength, addresses);
  if (bytes.byteLength <= PIECE_BYTES) response.end(bytes);
  else await pipeline(Readable.from(piecesOf(bytes), { objectMode: false }), response);
}

async function writeStream(
  response: ServerResponse,
  body: NodeReadableStream,
  addresses: Addresses | undefined,
): Promise<void> {
  const source = Readable.fromWeb(body);
  if (addresses === undefined) await pipeline(source, response);
  else await pipeline(source, (pieces: AsyncIterable<Buffer>) => clientJsonStream(pieces, addresses.roots), response);
}

function renamed(raw: readonly string[], addresses: Addresses): string[] {
  return raw.map((value, index) => (index % 2 === 0 ? value : headerFor(raw[index - 1] as string, value, addresses)));
}

function* piecesOf(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
