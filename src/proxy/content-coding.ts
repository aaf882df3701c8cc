import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** What can be undone here, by its name in `Content-Encoding` (RFC 9110 §8.4.1). */
const DECODERS: ReadonlyMap<string, (() => Transform) | undefined> = new Map<string, (() => Transform) | undefined>([
  ["identity", undefined],
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** Whether a body that was coded so can be read here; one that cannot goes on as it is. */
export function isDecodable(encoding: string | undefined): boolean {
  return codingsIn(encoding).every((coding) => DECODERS.has(coding));
}

/** The bytes as they were before they were coded so; an error of theirs is one of the result's. */
export function decoded(source: Readable, encoding: string | undefined): Readable {
  if (!isDecodable(encoding)) return source;
  let stream = source;
  for (const coding of codingsIn(encoding).reverse()) {
    const decoder = DECODERS.get(coding)?.();
    if (decoder === undefined) continue;
    const before = stream;
    before.on("error", (error) => decoder.destroy(error));
    decoder.on("close", () => before.destroy());
    stream = before.pipe(decoder);
  }
  return stream;
}

/** The part of an `Accept-Encoding` that can be read here, since an answer of the API may have to be. */
export function decodablePart(accepted: string): string {
  const parts = accepted.split(",").map((part) => part.trim());
  const left = parts.filter((part) => DECODERS.has(part.replace(/\s*;.*$/, "").toLowerCase()));
  if (left.length === parts.length) return accepted;
  return left.length === 0 ? "identity" : left.join(", ");
}

function codingsIn(encoding = ""): string[] {
  return encoding
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "");
}
