import { createHash } from "node:crypto";
import { hasNext } from "../cache/link.js";

/** An answer as Octokit gives it, as far as it is looked at here. */
export interface GuardAnswer {
  readonly status: number;
  readonly data: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/**
 * What the reads said, as a SHA-256 in hex: each one's status, its content, and whether there is a next page, which is all
 * that a list's first page tells of the others. `reads` names the reads: two lists may both be empty.
 */
export function signatureOf(reads: string, answers: readonly GuardAnswer[]): string {
  const hash = createHash("sha256").update(reads);
  for (const { status, data, headers } of answers) {
    const { link } = headers;
    const more = typeof link === "string" && hasNext(link) ? "more" : "all";
    const content = contentOf(data);
    // With the length first nothing can pass from one answer to the next.
    hash.update(`\n${status} ${more} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

function contentOf(data: unknown): Uint8Array {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return Buffer.from(typeof data === "string" ? data : jsonOf(data));
}

function jsonOf(data: unknown): string {
  try {
    return JSON.stringify(data) ?? "";
  } catch {
    // Octokit reads numbers that a double cannot hold as bigints; looking at every value takes several times as long.
    return JSON.stringify(data, (_name, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
  }
}
