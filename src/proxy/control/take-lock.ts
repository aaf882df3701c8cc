import { type Clock, sleep } from "../../clock.js";
import type { FileLocks, HeldLock } from "../../store/file/file-lock.js";

const LOOK_AGAIN_MS = 25;

/** Takes a lock, waiting for whoever has it for at most `withinMs`; that of a process that is gone is taken over at once. */
export async function takeLock(
  locks: FileLocks,
  path: string,
  withinMs: number,
  clock: Clock,
): Promise<HeldLock | undefined> {
  const until = clock.monotonic() + withinMs;
  for (;;) {
    const lock = locks.tryLock(path, true);
    if (lock !== undefined || clock.monotonic() >= until) return lock;
    await sleep(clock, LOOK_AGAIN_MS);
  }
}
