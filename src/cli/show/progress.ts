import type { CancelTimer, Clock } from "../../clock.js";
import type { Output } from "../context.js";
import { cutTo } from "./text-width.js";

/** What a progress is shown with. */
export interface ProgressOptions {
  /** Where: standard error. */
  readonly output: Output;
  readonly clock: Clock;
  /** Asked for each time it is shown: `"read 120 MB"`. */
  readonly text: () => string;
  /** Nothing is shown. */
  readonly quiet?: boolean | undefined;
}

/** Something under way. */
export interface Progress {
  /** Says no more, and leaves no trace of itself on a terminal. */
  end(): void;
}

/** What is done sooner than this is not talked about. */
const SILENT_MS = 1_000;
const TERMINAL_EVERY_MS = 100;
const LINE_EVERY_MS = 10_000;

/**
 * Shows what takes more than a second: on a terminal one line that changes and is erased at the end, elsewhere a line every
 * ten seconds. Between two showings the process has to come to its timers.
 *
 * @example
 * ```ts
 * const progress = showProgress({ output: context.err, clock: context.clock, text: () => `read ${megabytes} MB` });
 * try { await work(); } finally { progress.end(); }
 * ```
 */
export function showProgress({ output, clock, text, quiet = false }: ProgressOptions): Progress {
  if (quiet) return { end: () => {} };
  let isShown = false;
  let cancel: CancelTimer;
  const show = (): void => {
    output.write(output.isTerminal ? `\r\u001b[2K${cutTo(text(), output.columns - 1)}` : `${text()}\n`);
    isShown = true;
    later(output.isTerminal ? TERMINAL_EVERY_MS : LINE_EVERY_MS);
  };
  const later = (ms: number): void => {
    cancel = clock.timer(ms, show, { unref: true });
  };
  cancel = clock.timer(SILENT_MS, show, { unref: true });
  return {
    end() {
      cancel();
      if (isShown && output.isTerminal) output.write("\r\u001b[2K");
      isShown = false;
    },
  };
}
