import { dirname } from "node:path";
import type { FileSystem } from "./file-system.js";

/** How far an {@link append} came. */
export interface Appended {
  /** Bytes of what was to be written. */
  readonly written: number;
  /** How large the file is now; undefined for what is no file, such as a pipe. */
  readonly size: number | undefined;
  /** Why not all was written. */
  readonly error: unknown;
}

/** Private: who works on what is nobody else's business. */
const FILE_MODE = 0o600;
const NEWLINE = 10;
/** A file that was deleted between being opened and being written to is made anew; not for ever. */
const MAX_TRIES = 3;

/**
 * Appends whole lines, as many processes may do to one file at a time: one write to a file opened for appending lands in
 * one piece behind all others (POSIX `O_APPEND`; not on network file systems). A line that a killed process left without its
 * end is ended first, so that it spoils no other. Opened and closed each time, so that a file which another process has
 * renamed meanwhile is not written to for ever. Never throws.
 */
export function append(fs: FileSystem, path: string, lines: Buffer): Appended {
  let written = 0;
  try {
    for (let tried = 1; ; tried++) {
      written = 0;
      const fd = open(fs, path);
      try {
        const before = fs.fstatSync(fd);
        const isFile = before.isFile();
        const start = isFile && before.size > 0 && lastByte(fs, fd, before.size) !== NEWLINE ? 1 : 0;
        const bytes = start === 0 ? lines : Buffer.concat([Buffer.of(NEWLINE), lines]);
        for (let done = 0; done < bytes.byteLength; written = done - start) {
          done += fs.writeSync(fd, bytes, done, bytes.byteLength - done);
        }
        const after = fs.fstatSync(fd);
        if (isFile && after.nlink === 0 && tried < MAX_TRIES) continue;
        return { written, size: isFile ? after.size : undefined, error: undefined };
      } finally {
        fs.closeSync(fd);
      }
    }
  } catch (error) {
    return { written: Math.max(0, written), size: undefined, error };
  }
}

/** Opened for reading as well, for its last byte. */
function open(fs: FileSystem, path: string): number {
  try {
    return fs.openSync(path, "a+", FILE_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    fs.mkdirSync(dirname(path), { recursive: true });
    return fs.openSync(path, "a+", FILE_MODE);
  }
}

function lastByte(fs: FileSystem, fd: number, size: number): number | undefined {
  const byte = Buffer.alloc(1);
  return fs.readSync(fd, byte, 0, 1, size - 1) === 1 ? byte[0] : undefined;
}
