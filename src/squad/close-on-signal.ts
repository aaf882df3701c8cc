import type { Clock } from "../clock.js";
import { SquadRateError } from "../errors.js";
import { reportFault } from "../pipeline/fault.js";
import {
  type Closeable,
  type CloseOnSignalOptions,
  type ClosingSignal,
  resolveCloseOnSignal,
} from "./close-on-signal-options.js";
import { areOursClosing, isLeftToUs, markAsOurs } from "./signal-listeners.js";

/** Takes the handlers of {@link closeOnSignal} off; also with `using`. What is being closed already goes on to its end. */
export interface StopListening {
  (): void;
  [Symbol.dispose](): void;
}

/**
 * Closes squads when this process is told to end, so that the units that they hold go back at once rather than when their
 * leases end. Nothing listens for signals unless this is called.
 *
 * At the first signal all are closed at the same time; what has to be closed in order goes into one object whose `close`
 * does so. When that is done, or after `graceMs`, the process is sent the signal again, and ends as it would have without
 * this. If the program listens for that signal itself, ending is left to it. A second signal meanwhile is not waited for.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` for a wrong argument, and where there is no process to be told.
 *
 * @example
 * ```ts
 * const squad = createSquad({ agent: "ralph", store: "redis://cache:6379" });
 * closeOnSignal(squad); // Kubernetes sends SIGTERM 30 s before SIGKILL
 * ```
 */
export function closeOnSignal(
  squads: Closeable | readonly Closeable[],
  options: CloseOnSignalOptions = {},
): StopListening {
  const { process } = globalThis;
  if (typeof process?.prependListener !== "function" || typeof process.kill !== "function") {
    throw new SquadRateError("SQUAD_RATE_OPTIONS", "closeOnSignal needs a process that hears signals; here is none.", {
      remedy: "Call close() of the squad where this runtime says that it ends.",
    });
  }
  const { closeables, signals, graceMs, clock } = resolveCloseOnSignal(squads, options);

  let closing = false;
  let finished = false;
  const stopListening = (): void => {
    for (const [signal, listener] of listeners) process.removeListener(signal, listener);
  };
  const finish = (signal: ClosingSignal, isOurs: boolean): void => {
    if (finished) return;
    finished = true;
    stopListening();
    if (isOurs && !areOursClosing(process, signal)) endBy(process, signal);
  };
  const hear = (signal: ClosingSignal): void => {
    // Asked now, because a listener that wants to hear it once is gone when closing is done.
    const isOurs = isLeftToUs(process, signal);
    if (closing) {
      finish(signal, isOurs);
      return;
    }
    closing = true;
    void closeAll(closeables, signal, graceMs, clock).then(() => finish(signal, isOurs));
  };
  const listeners = new Map(
    signals.map((signal) => [
      signal,
      markAsOurs(
        () => hear(signal),
        () => closing,
      ),
    ]),
  );
  // First in line, for the same reason.
  for (const [signal, listener] of listeners) process.prependListener(signal, listener);
  return Object.assign(stopListening, { [Symbol.dispose]: stopListening });
}

/** Resolves when all are closed, or after `graceMs`; never rejects. The timer keeps the process alive meanwhile. */
function closeAll(
  closeables: readonly Closeable[],
  signal: ClosingSignal,
  graceMs: number,
  clock: Clock,
): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.timer(graceMs, () => {
      reportFault(`closing at ${signal} was not done after ${graceMs} ms; the process ends without`, undefined);
      resolve();
    });
    const closings = closeables.map(async (each) => {
      try {
        await each.close();
      } catch (error) {
        reportFault(`closing at ${signal} failed`, error);
      }
    });
    void Promise.all(closings).then(() => {
      cancel();
      resolve();
    });
  });
}

/** By the signal's own means, so that whoever started this process learns what ended it. */
function endBy(process: NodeJS.Process, signal: ClosingSignal): void {
  try {
    process.kill(process.pid, signal);
  } catch {
    // Windows can be told of a closed console (SIGHUP) but cannot send such a signal.
    process.exit(1);
  }
}
