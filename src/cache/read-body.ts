import { readBytes } from "./read-bytes.js";
import { rebuiltResponse, resumedResponse } from "./rebuilt-response.js";

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A body that was read whole, or the answer put together again for somebody else to read. */
export type ReadBody =
  | { readonly kind: "text"; readonly text: string; readonly byteLength: number }
  | { readonly kind: "unfit"; readonly response: Response };

/**
 * Reads a body of at most `maxBytes` as UTF-8 text. A longer one, or one that is not UTF-8, is handed back as a response
 * that yields every byte, the ones already read first, and goes on streaming.
 */
export async function readBody(response: Response, maxBytes: number): Promise<ReadBody> {
  if (response.body === null) return { kind: "text", text: "", byteLength: 0 };
  const read = await readBytes(response.body, maxBytes);
  if (read.kind === "broken") throw read.error;
  if (read.kind === "longer") return { kind: "unfit", response: resumedResponse(response, read.chunks, read.reader) };
  try {
    // A byte order mark is kept, as it is part of what was hashed; `Response.text()` drops it, and so does our rendering.
    const text = UTF_8.decode(read.bytes);
    return { kind: "text", text, byteLength: read.bytes.byteLength };
  } catch {
    return { kind: "unfit", response: rebuiltResponse(response, read.bytes) };
  }
}
