/**
 * What the command ends with. `exec` ends with what the command under it ended with, and with `128 + n` where signal n ended it.
 *
 * @see https://man7.org/linux/man-pages/man3/sysexits.h.3head.html
 */
export const EXIT = {
  ok: 0,
  /** It was done, and what it found is bad news: `doctor` has something to fix, a fleet does not fit, a trace cannot be read. */
  found: 1,
  /** Wrong arguments, environment or configuration. */
  usage: 64,
  /** A store, a server or a proxy that is needed cannot be reached. */
  unavailable: 69,
  /** A fault of this program. */
  fault: 70,
  /** A file cannot be written. */
  cannotWrite: 73,
  /** Nobody was there to be asked, or they said no. */
  refused: 77,
  /** `exec`: the command cannot be run, or there is none of that name. */
  cannotRun: 126,
  notFound: 127,
} as const;

export type ExitCode = number;
