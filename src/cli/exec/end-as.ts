import { constants } from "node:os";

/** Those that write a core dump: ours would tell nothing of the command's end. */
const DUMPING = new Set<NodeJS.Signals>([
  "SIGQUIT",
  "SIGILL",
  "SIGTRAP",
  "SIGABRT",
  "SIGBUS",
  "SIGFPE",
  "SIGSEGV",
  "SIGSYS",
  "SIGXCPU",
  "SIGXFSZ",
]);

/**
 * Ends this process as a command ended that a signal ended, so that whoever started us sees the very same: a shell, for one,
 * ends its script only if Ctrl-C has ended the command.
 */
export function endBySignal(signal: NodeJS.Signals): never {
  if (!DUMPING.has(signal)) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  // The signal is ignored, or comes later than this line.
  process.exit(128 + constants.signals[signal]);
}
