import type { AddressRoot } from "./address-root.js";
import { createJsonAddresses } from "./json-addresses.js";

/**
 * `clientJson` for a body that streams: each piece goes on as soon as it has come. Pieces may be cut anywhere, also within a
 * character. Leaving early ends the source, and its errors are passed on.
 *
 * @example
 * ```ts
 * await pipeline(answer.body, (body) => clientJsonStream(body, roots), response);
 * ```
 */
export async function* clientJsonStream(
  body: AsyncIterable<Uint8Array>,
  roots: readonly AddressRoot[],
): AsyncGenerator<Uint8Array, void, undefined> {
  // One character for each byte: addresses and what JSON is made of are ASCII, and no byte of a longer character is.
  const addresses = createJsonAddresses(roots);
  for await (const { buffer, byteOffset, byteLength } of body) {
    const piece = addresses.write(Buffer.from(buffer, byteOffset, byteLength).toString("latin1"));
    if (piece !== "") yield Buffer.from(piece, "latin1");
  }
  const rest = addresses.end();
  if (rest !== "") yield Buffer.from(rest, "latin1");
}
