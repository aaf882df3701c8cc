import { readFileSync } from "node:fs";

/**
 * Whether Ctrl-C at a terminal reaches this process: then it reaches every process of its group as well, the command
 * included, and passing it on would send it twice.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html fields 5 (process group) and 8 (the terminal's group)
 */
export function isInForeground(): boolean {
  try {
    const text = readFileSync("/proc/self/stat", "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[2] === fields[5];
  } catch {
    // No /proc, as on macOS: whoever talks to a terminal is taken for being in its foreground.
    return process.stdin.isTTY === true || process.stderr.isTTY === true;
  }
}
