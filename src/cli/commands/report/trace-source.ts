import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { TraceSource } from "../../../report/index.js";
import { homePath } from "../../../store/file/home-path.js";
import { CommandEnd } from "../../command-end.js";
import type { CommandContext } from "../../context.js";
import { EXIT } from "../../exit-code.js";
import { fileProblem } from "../../file-problem.js";
import { loadSettings } from "../../settings.js";
import type { Flags } from "../../shared-options.js";

/**
 * What the words of the command line mean: standard input, or files, those that are not there told of and passed over. `onRead` is told
 * how many bytes each piece had.
 */
export async function traceSource(
  context: CommandContext,
  files: readonly string[],
  flags: Flags,
  onRead: (bytes: number) => void,
): Promise<TraceSource> {
  if (files.includes("-")) {
    if (files.length > 1) {
      throw new CommandEnd(EXIT.usage, {
        message: "- (standard input) cannot be merged with files",
        remedy: "give one or the others",
      });
    }
    if (context.input.isTerminal && flags.quiet !== true) {
      context.err.write("reading what you type; Ctrl-D ends it\n");
    }
    return { stream: counted(context.input.stream, onRead) };
  }
  const there: string[] = [];
  for (const file of files.length > 0 ? files : [await settingsTrace(context, flags)]) {
    const path = resolve(context.cwd, file.startsWith("~") ? homePath(file) : file);
    try {
      await stat(path);
      there.push(path);
    } catch (error) {
      const problem = fileProblem("read", file, error);
      if (!(problem instanceof CommandEnd)) throw error;
      context.err.write(`squad-rate: ${problem.message}\n`);
    }
  }
  if (there.length > 0) return { files: there, onRead };
  throw new CommandEnd(EXIT.found, {
    message: "there is no trace to read",
    remedy: "record one with --trace FILE or SQUAD_RATE_TRACE, and give its path",
  });
}

async function settingsTrace(context: CommandContext, flags: Flags): Promise<string> {
  const { trace } = await loadSettings(context, flags);
  if (typeof trace === "string") return trace;
  throw new CommandEnd(EXIT.usage, {
    message: "no trace was given",
    remedy: "name files, - for standard input, or set SQUAD_RATE_TRACE",
  });
}

async function* counted(stream: AsyncIterable<Uint8Array>, onRead: (bytes: number) => void): AsyncIterable<Uint8Array> {
  for await (const piece of stream) {
    onRead(piece.length);
    yield piece;
  }
}
