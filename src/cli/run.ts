import { redact } from "../call/redact.js";
import type { CommandContext } from "./context.js";
import { endingOf } from "./error-line.js";
import { EXIT, type ExitCode } from "./exit-code.js";
import { createProgram, helpCommandFor } from "./program.js";

/**
 * Runs the command line `words` (without node and script), and says what the process ends with. It never rejects.
 *
 * @example
 * ```ts
 * process.exitCode = await run(context, ["plan", "--agents", "50"]);
 * ```
 */
export async function run(context: CommandContext, words: readonly string[]): Promise<ExitCode> {
  const program = createProgram(context);
  try {
    await program.parseAsync([...words], { from: "user" });
    return EXIT.ok;
  } catch (error) {
    const { exitCode, line } = endingOf(error, helpCommandFor(program, words));
    if (line !== "") context.err.write(`${line}\n`);
    if (context.env.SQUAD_RATE_DEBUG === "1" && line !== "" && error instanceof Error) {
      context.err.write(`${redact(error.stack ?? "")}\n`);
    }
    return exitCode;
  }
}
