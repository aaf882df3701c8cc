/** Stops a timer that {@link Clock.timer} started; calling it again, or after the timer fired, does nothing. */
export type CancelTimer = () => void;

/**
 * Time as an argument. Everything in this package that reads or waits for time does it through a `Clock`, so that tests
 * and simulations own it.
 */
export interface Clock {
  /** Wall time in epoch milliseconds. May jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary start; never goes back. */
  monotonic(): number;
  /**
   * Calls `callback` once, `ms` milliseconds from now (at once, but never synchronously, when `ms <= 0`).
   * With `unref` the timer does not keep the process alive.
   */
  timer(ms: number, callback: () => void, options?: { readonly unref?: boolean }): CancelTimer;
}

/** The longest delay that `setTimeout` keeps; anything longer would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The real clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer(ms, callback, options) {
    let handle: ReturnType<typeof setTimeout>;
    const arm = (leftMs: number): void => {
      handle = setTimeout(
        () => (leftMs > MAX_TIMEOUT_MS ? arm(leftMs - MAX_TIMEOUT_MS) : callback()),
        Math.min(Math.max(leftMs, 0), MAX_TIMEOUT_MS),
      );
      if (options?.unref === true && typeof handle === "object") handle.unref();
    };
    arm(ms);
    return () => clearTimeout(handle);
  },
};

/**
 * Resolves after `ms` milliseconds on `clock`; rejects with the signal's reason as soon as `signal` aborts, leaving
 * neither timer nor listener behind.
 */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.timer(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
