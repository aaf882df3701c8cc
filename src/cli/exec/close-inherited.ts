import { closeSync, readdirSync, readFileSync } from "node:fs";

const FDINFO = "/proc/self/fdinfo";
/** `O_CLOEXEC`, as Linux writes it: everything that this process has opened itself carries it. */
const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes what whoever started us had open beside the three standard ones. As in `squad-rate exec -- gh api x > >(tee log)`: the
 * shell waits for `tee`, which waits until nobody holds its pipe, and we live on.
 *
 * Where the system does not tell, as on macOS, nothing is closed.
 */
export function closeInherited(): void {
  for (const fd of openDescriptors()) {
    try {
      const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`${FDINFO}/${fd}`, "latin1"))?.[1];
      if (flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0) closeSync(fd);
    } catch {
      // That by which the folder was read is gone already.
    }
  }
}

function openDescriptors(): readonly number[] {
  try {
    return readdirSync(FDINFO)
      .map(Number)
      .filter((fd) => fd > 2);
  } catch {
    return [];
  }
}
