import { homedir } from "node:os";
import { createInterface } from "node:readline/promises";
import type { WriteStream } from "node:tty";
import { systemClock } from "../clock.js";
import { CommandEnd, EndedBySignal } from "./command-end.js";
import type { CommandContext, Output } from "./context.js";
import { EXIT } from "./exit-code.js";

/** The context of the process we are. */
export function processContext(): CommandContext {
  let ending: AbortSignal | undefined;
  return {
    out: outputTo(process.stdout),
    err: outputTo(process.stderr),
    input: { isTerminal: process.stdin.isTTY === true, stream: process.stdin },
    env: process.env,
    // Looked at when it is needed: where it was removed, help does not need it.
    get cwd(): string {
      return currentFolder();
    },
    home: homedir(),
    clock: systemClock,
    // Made when it is first looked at: a command that does not would otherwise not hear Ctrl-C at all.
    get signal(): AbortSignal {
      ending ??= abortOnSignal();
      return ending;
    },
    confirm: process.stdin.isTTY === true && process.stderr.isTTY === true ? confirm : undefined,
  };
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new CommandEnd(EXIT.usage, { message: "the current folder is gone", remedy: "change to another", cause });
  }
}

function abortOnSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      const reason = new EndedBySignal(name);
      if (controller.signal.aborted) process.exit(reason.exitCode);
      controller.abort(reason);
    });
  }
  return controller.signal;
}

const USUAL_COLUMNS = 80;

function outputTo(stream: WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    get rows() {
      return stream.isTTY === true ? stream.rows : undefined;
    },
    get columns() {
      return stream.columns || Number.parseInt(process.env.COLUMNS ?? "", 10) || USUAL_COLUMNS;
    },
  };
}

/** Ctrl-D is a no, and Ctrl-C ends the process as it always does. */
async function confirm(question: string): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const left = new Promise<string>((resolve) => {
      reader.once("close", () => {
        process.stderr.write("\n");
        resolve("");
      });
    });
    reader.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
    const answer = await Promise.race([reader.question(question), left]);
    reader.removeAllListeners("close");
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}
