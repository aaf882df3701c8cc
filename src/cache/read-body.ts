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
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.byteLength;
    if (size > maxBytes) return { kind: "unfit", response: resumed(response, chunks, reader) };
  }
  const bytes = chunks.length === 1 ? (chunks[0] as Uint8Array) : concatenated(chunks, size);
  try {
    // A byte order mark is kept, as it is part of what was hashed; `Response.text()` drops it, and so does our rendering.
    const text = UTF_8.decode(bytes);
    return { kind: "text", text, byteLength: size };
  } catch {
    return { kind: "unfit", response: resumed(response, [bytes], undefined) };
  }
}

function concatenated(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

function resumed(
  response: Response,
  chunks: Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): Response {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = chunks.shift();
      if (chunk !== undefined) {
        controller.enqueue(chunk);
        return;
      }
      const next = await reader?.read();
      if (next === undefined || next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel(reason) {
      await reader?.cancel(reason);
    },
  });
  const { status, statusText, headers, url, redirected } = response;
  const whole = new Response(body, { status, statusText, headers });
  // A constructed Response has an empty address, and pagination needs it.
  return Object.defineProperties(whole, { url: { value: url }, redirected: { value: redirected } });
}
