import { readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { readFile, rename, unlink, writeFile } from "node:fs/promises";
import { type Clock, sleep } from "../../clock.js";

/** Private: entries may be bodies of private repositories. */
export const FILE_MODE = 0o600;

/** On Windows a file that another process has open cannot be replaced for that moment. */
const BUSY = new Set(["EPERM", "EACCES", "EBUSY"]);
const MAX_RETRIES = 10;

/** Reads a file; undefined when there is none. */
export async function readWhole(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    return absentOrThrow(error);
  }
}

/** The same at once, for a critical section. */
export function readWholeSync(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return absentOrThrow(error);
  }
}

/**
 * Replaces a file as a whole: whoever reads sees the old or the new one, and a process that is killed leaves the old one.
 * Not flushed to the disk: a power cut may lose the latest, and a torn file is found out when it is read.
 */
export async function writeWhole(path: string, content: string, temporary: string, clock: Clock): Promise<void> {
  try {
    await writeFile(temporary, content, { mode: FILE_MODE, flag: "wx" });
    for (let retry = 0; ; retry++) {
      try {
        return await rename(temporary, path);
      } catch (error) {
        if (!isBusy(error, retry)) throw error;
        await sleep(clock, 2 ** retry);
      }
    }
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** Puts `temporary` in the place of `path` at once. */
export function replaceSync(temporary: string, path: string): void {
  whenFree(() => renameSync(temporary, path));
}

/** Writes a new private file at once. */
export function writePrivateSync(path: string, content: string): void {
  writeFileSync(path, content, { mode: FILE_MODE, flag: "wx" });
}

/** Deletes a file at once; true when it was there. */
export function removeSync(path: string): boolean {
  try {
    whenFree(() => unlinkSync(path));
    return true;
  } catch (error) {
    absentOrThrow(error);
    return false;
  }
}

/** The code of a system error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

function absentOrThrow(error: unknown): undefined {
  if (errorCode(error) === "ENOENT") return undefined;
  throw error;
}

/** Synchronous, because a lock is held; a virus scanner lets go within a few milliseconds. */
function whenFree(work: () => void): void {
  for (let retry = 0; ; retry++) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error, retry)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.min(2 ** retry, 20));
    }
  }
}

function isBusy(error: unknown, retry: number): boolean {
  return process.platform === "win32" && retry < MAX_RETRIES && BUSY.has(errorCode(error) ?? "");
}
