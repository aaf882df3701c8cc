import { fstatSync, ftruncateSync, writeSync } from "node:fs";

const MAX_BYTES = 1_048_576;

/** Writes lines to a file that is open for appending as `descriptor`; begins anew where it gets long. */
export function shortLog(descriptor: number, now: () => number): (message: string) => void {
  return (message) => {
    try {
      const found = fstatSync(descriptor);
      if (found.isFile() && found.size > MAX_BYTES) ftruncateSync(descriptor, 0);
      writeSync(descriptor, `${new Date(now()).toISOString()} ${message}\n`);
    } catch {
      // A full disk is no reason to end.
    }
  };
}
