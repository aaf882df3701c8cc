import { readBytes } from "../cache/read-bytes.js";
import { type ChunkReader, resumedResponse } from "../cache/rebuilt-response.js";
import { TextResponse } from "./text-response.js";

/** What was read of an answer, and the answer for somebody else to read. */
export interface AnswerText {
  /** The whole text if `response` is a {@link TextResponse}, otherwise its beginning; `undefined` if there is none to see. */
  readonly text: string | undefined;
  /** The answer as it came, every byte of it. */
  readonly response: Response;
  /** How long a body is that was read whole. */
  readonly byteLength?: number;
  /** The body broke off on its way. */
  readonly broken?: boolean;
}

const UTF_8 = new TextDecoder();

/**
 * Reads an answer's text and gives the answer back as if nothing had been read. Of a text longer than `maxBytes` it is the
 * beginning, and the rest streams on. There is no text where there is no body, where somebody has read it, where it is
 * promised to be longer, and where it broke off: that error meets whoever reads the answer.
 *
 * `outcomeOf` takes a text shorter than `OUTCOME_TEXT_LENGTH` for a whole one, and three bytes may be one character: let
 * `maxBytes` be at least three times that.
 */
export async function readText(response: Response, maxBytes: number): Promise<AnswerText> {
  const body: unknown = response.body;
  if (body === null || response.bodyUsed || !canBeRebuilt(response) || promisesMoreThan(response, maxBytes)) {
    return { text: undefined, response };
  }
  if (!isWebStream(body)) return readForeign(response);
  if (body.locked) return { text: undefined, response };
  const read = await readBytes(body, maxBytes);
  if (read.kind === "whole") {
    const text = UTF_8.decode(read.bytes);
    const { bytes } = read;
    return { text, response: new TextResponse(response, text, { bytes }), byteLength: bytes.byteLength };
  }
  const text = read.kind === "longer" ? beginning(read.chunks, maxBytes) : undefined;
  const resumed = resumedResponse(response, read.chunks, read.reader);
  return { text, response: resumed, broken: read.kind === "broken" };
}

/** A body that is no web stream: what node-fetch answers with, or what people write in tests. */
async function readForeign(response: Response): Promise<AnswerText> {
  const { body, arrayBuffer, text: textOf } = response as Partial<Response>;
  try {
    if (isNodeStream(body) && typeof arrayBuffer === "function") {
      const bytes = new Uint8Array(await response.arrayBuffer());
      return await withNodeBody(response, UTF_8.decode(bytes), bytes);
    }
    if (typeof textOf !== "function") return { text: undefined, response };
    const text = await response.text();
    if (isNodeStream(body)) return await withNodeBody(response, text, new TextEncoder().encode(text));
    return { text, response: new TextResponse(response, text) };
  } catch (error) {
    const broken: ChunkReader = { read: () => Promise.reject(error), cancel: async () => undefined };
    return { text: undefined, response: resumedResponse(response, [], broken), broken: true };
  }
}

async function withNodeBody(response: Response, text: string, bytes: Uint8Array): Promise<AnswerText> {
  // Where such a stream has come from there is the module.
  const { Readable } = await import("node:stream");
  const bodyOf = (its: Uint8Array): unknown => Readable.from(Buffer.from(its));
  return { text, response: new TextResponse(response, text, { bytes, bodyOf }) };
}

function beginning(chunks: readonly Uint8Array[], maxBytes: number): string {
  const decoder = new TextDecoder();
  let text = "";
  let left = maxBytes;
  for (const chunk of chunks) {
    // As a stream, so that a character that is cut in two is left out.
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    left -= chunk.byteLength;
    if (left <= 0) break;
  }
  return text;
}

/** `new Response` takes no other status with a body (https://fetch.spec.whatwg.org/#null-body-status). */
function canBeRebuilt({ status }: Response): boolean {
  return status >= 200 && status <= 599 && status !== 204 && status !== 205 && status !== 304;
}

function promisesMoreThan({ headers }: Response, maxBytes: number): boolean {
  return Number(headers.get("content-length") ?? 0) > maxBytes;
}

function isWebStream(body: unknown): body is ReadableStream<Uint8Array> {
  return typeof (body as Partial<ReadableStream> | undefined)?.getReader === "function";
}

function isNodeStream(body: unknown): boolean {
  return typeof (body as { readonly pipe?: unknown } | undefined)?.pipe === "function";
}
