/**
 * A response like `source` with this body in place of its own. The address is put on afterwards, since a constructed
 * Response has none; `clone()` would lose it, and pagination needs it.
 */
export function rebuiltResponse(source: Response, body: ReadableStream<Uint8Array> | Uint8Array): Response {
  const { status, statusText, headers } = source;
  return addressed(new Response(body as BodyInit, { status, statusText, headers }), source);
}

/** The part of a stream's reader that reading on needs. */
export type ChunkReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/** `source` as if nothing had been read: it yields the chunks that were, and goes on with the reader they came from. */
export function resumedResponse(source: Response, chunks: readonly Uint8Array[], reader: ChunkReader): Response {
  const left = [...chunks];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = left.shift();
      if (chunk !== undefined) {
        controller.enqueue(chunk);
        return;
      }
      const next = await reader.read();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel(reason) {
      await reader.cancel(reason);
    },
  });
  return rebuiltResponse(source, body);
}

function addressed(response: Response, source: Response): Response {
  const { url, redirected, type } = source;
  const clone = (): Response => addressed(Response.prototype.clone.call(response), source);
  return Object.defineProperties(response, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type },
    clone: { value: clone },
  });
}
