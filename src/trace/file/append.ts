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
const PIPE_BUF = 4_096;
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
          const end = isFile ? bytes.byteLength : endOfPiece(bytes, done);
          done += fs.writeSync(fd, bytes, done, end - done);
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

/**
 * Opened for reading as well, for its last byte; but a pipe for writing alone, so that one which nobody reads is told. Never
 * waits: a write to a pipe that is full fails, where it would keep the whole process until somebody has read.
 */
function open(fs: FileSystem, path: string): number {
  const { O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = fs.constants;
  const flags = O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK;
  const fd = openOrMake(fs, path, flags);
  if (!fs.fstatSync(fd).isFIFO()) return fd;
  fs.closeSync(fd);
  return fs.openSync(path, O_WRONLY | O_NONBLOCK);
}

function openOrMake(fs: FileSystem, path: string, flags: number): number {
  try {
    return fs.openSync(path, flags, FILE_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    fs.mkdirSync(dirname(path), { recursive: true });
    return fs.openSync(path, flags, FILE_MODE);
  }
}

/** Whole lines that a pipe takes in one piece or not at all, which POSIX says of so many bytes; a longer line on its own. */
function endOfPiece(bytes: Buffer, start: number): number {
  const last = bytes.lastIndexOf(NEWLINE, start + PIPE_BUF - 1);
  return (last >= start ? last : bytes.indexOf(NEWLINE, start)) + 1;
}

function lastByte(fs: FileSystem, fd: number, size: number): number | undefined {
  const byte = Buffer.alloc(1);
  return fs.readSync(fd, byte, 0, 1, size - 1) === 1 ? byte[0] : undefined;
}
