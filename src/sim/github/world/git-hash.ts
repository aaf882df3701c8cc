import { createHash } from "node:crypto";

/** The SHA-1 that git would give a file of this content. */
export function blobSha(content: Uint8Array): string {
  return createHash("sha1").update(`blob ${content.byteLength}\0`).update(content).digest("hex");
}

/** A 40-digit name that depends on nothing but `parts`: enough for commits and trees that nobody unpacks. */
export function objectSha(...parts: readonly (string | number)[]): string {
  return createHash("sha1").update(parts.join("\0")).digest("hex");
}
