import { type ChildProcess, spawn } from "node:child_process";
import { isInForeground } from "./terminal.js";

export interface ChildCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** How a command ended. */
export type ChildOutcome =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: NodeJS.Signals }
  | { readonly kind: "not-run"; readonly why: "not-found" | "cannot-run"; readonly code: string };

/** What a terminal sends to all processes of its foreground. */
const FROM_TERMINAL: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT", "SIGWINCH"];
const ALWAYS: readonly NodeJS.Signals[] = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"];

/**
 * Runs a command on our standard input, output and error, to its end. Signals that are sent to this process go on to it, and
 * do not end us before it.
 */
export function runChild({ command, args, env, cwd }: ChildCommand): Promise<ChildOutcome> {
  return new Promise((resolve) => {
    let child: ChildProcess | undefined;
    const listeners = new Map<NodeJS.Signals, () => void>();
    for (const signal of [...FROM_TERMINAL, ...ALWAYS]) {
      const hear = (): void => {
        if (FROM_TERMINAL.includes(signal) && isInForeground()) return;
        child?.kill(signal);
      };
      listeners.set(signal, hear);
      process.on(signal, hear);
    }
    const end = (outcome: ChildOutcome): void => {
      for (const [signal, hear] of listeners) process.off(signal, hear);
      resolve(outcome);
    };
    const fail = ({ code, message }: NodeJS.ErrnoException): void => {
      end({ kind: "not-run", why: code === "ENOENT" ? "not-found" : "cannot-run", code: code ?? message });
    };
    try {
      child = spawn(command, args, { env, cwd, stdio: "inherit" });
    } catch (error) {
      // Of some reasons Node tells at once, such as a path through a file, or an environment that is too large.
      fail(error as NodeJS.ErrnoException);
      return;
    }
    child.once("error", fail);
    child.once("exit", (code, signal) => {
      end(signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signalled", signal });
    });
  });
}
