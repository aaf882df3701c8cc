import type { ChunkReader } from "./rebuilt-response.js";

/** A body as far as it was read. */
export type ReadBytes =
  | { readonly kind: "whole"; readonly bytes: Uint8Array }
  /** There is more of it than was asked for. */
  | { readonly kind: "longer"; readonly chunks: readonly Uint8Array[]; readonly reader: ChunkReader }
  /** It was cut off on its way; the reader fails again with the same error. */
  | {
      readonly kind: "broken";
      readonly chunks: readonly Uint8Array[];
      readonly reader: ChunkReader;
      readonly error: unknown;
    };

/** Reads a body to its end, or until it is longer than `maxBytes`. */
export async function readBytes(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<ReadBytes> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      // A handmade stream may hold anything; whoever reads on says so in its own words.
      if (!(value instanceof Uint8Array)) throw new TypeError("The body of the answer does not consist of bytes.");
      size += value.byteLength;
      if (size > maxBytes) return { kind: "longer", chunks, reader };
    }
  } catch (error) {
    return { kind: "broken", chunks, reader, error };
  }
  return { kind: "whole", bytes: chunks.length === 1 ? (chunks[0] as Uint8Array) : concatenated(chunks, size) };
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
