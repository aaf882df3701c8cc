import type { Clock } from "../clock.js";

/**
 * Settles as `work` does, or rejects after `timeoutMs` on `clock`: a store whose server hangs answers neither way of
 * itself. The work is not cancelled (Keyv cannot), but nobody waits for it, and its late failure is nobody's.
 */
export function withDeadline<T>(clock: Clock, timeoutMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.timer(timeoutMs, () => reject(new Error(`The store did not answer within ${timeoutMs} ms.`)));
    Promise.resolve(work).then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error) => {
        cancel();
        reject(error);
      },
    );
  });
}
