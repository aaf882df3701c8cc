import { parse } from "node:path";
import type { FileSystem } from "./file-system.js";

/** The lock that keeps two processes from rotating at once; the file store's locks are such. */
export interface RotationLocks {
  tryLock(path: string, mayBreak: boolean): { isMine(): boolean; release(): void } | undefined;
  close(): void;
}

/**
 * Renames a file that has grown beyond `maxBytes` to `name.1.ext`, the one before to `name.2.ext`, and so on up to `keep`;
 * the oldest goes. Whoever has a file open meanwhile writes on to it under its new name. Does nothing while another process
 * does the same.
 *
 * @throws what the file system throws
 */
export function rotate(
  fs: FileSystem,
  locks: RotationLocks,
  path: string,
  { maxBytes, keep }: { readonly maxBytes: number; readonly keep: number },
): void {
  try {
    const lock = locks.tryLock(`${path}.lock`, true);
    if (lock === undefined) return;
    try {
      // Another process may have done it since this one looked, and nobody have begun a new file yet.
      const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size <= maxBytes || !lock.isMine()) return;
      for (let number = keep - 1; number >= 1; number--) {
        moveIfThere(fs, numbered(path, number), numbered(path, number + 1));
      }
      moveIfThere(fs, path, numbered(path, 1));
    } finally {
      lock.release();
    }
  } finally {
    // Their name for this process does not belong beside a trace for longer.
    locks.close();
  }
}

/** `trace.jsonl` -> `trace.1.jsonl`. */
function numbered(path: string, number: number): string {
  const { name, ext } = parse(path);
  return `${path.slice(0, path.length - name.length - ext.length)}${name}.${number}${ext}`;
}

function moveIfThere(fs: FileSystem, from: string, to: string): void {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
