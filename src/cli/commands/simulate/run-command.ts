import { spawn } from "node:child_process";
import { constants } from "node:os";
import { CommandEnd, EndedBySignal } from "../../command-end.js";
import type { CommandContext } from "../../context.js";
import { EXIT, type ExitCode } from "../../exit-code.js";

/** Runs a command on our own terminal, and says what it ended with. */
export function runCommand(
  [file = "", ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { cwd, signal }: Pick<CommandContext, "cwd" | "signal">,
): Promise<ExitCode> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: "inherit" });
    // A terminal tells everybody who is in front of it; who is told a second time does no harm.
    const passOn = (): void => {
      const { reason } = signal as { readonly reason: unknown };
      child.kill(reason instanceof EndedBySignal ? reason.signalName : "SIGTERM");
    };
    signal.addEventListener("abort", passOn);
    child.on("error", (error: NodeJS.ErrnoException) => reject(problemWith(file, error)));
    child.on("close", (code, name) => {
      signal.removeEventListener("abort", passOn);
      resolve(code ?? 128 + (name === null ? 0 : constants.signals[name]));
    });
  });
}

function problemWith(file: string, error: NodeJS.ErrnoException): CommandEnd {
  if (error.code === "ENOENT") {
    return new CommandEnd(EXIT.notFound, {
      message: `there is no command "${file}"`,
      remedy: "check its name and your PATH",
      cause: error,
    });
  }
  return new CommandEnd(EXIT.cannotRun, {
    message: `"${file}" cannot be run (${error.code ?? error.message})`,
    remedy: "check that it is a program that you may run",
    cause: error,
  });
}
