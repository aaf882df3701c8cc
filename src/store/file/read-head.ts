import { open } from "node:fs/promises";
import { type FileHead, HEAD_BYTES, parseEntry, parseHead } from "./file-entry.js";

/** Reads what the first lines of a file tell; undefined when it is gone, torn or somebody else's. */
export async function readHead(path: string): Promise<FileHead | undefined> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return parseHead(buffer.toString("utf8", 0, bytesRead)) ?? parseEntry(await file.readFile("utf8"));
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
