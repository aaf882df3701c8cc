import { CommandEnd } from "../command-end.js";
import { EXIT } from "../exit-code.js";
import type { ChildOutcome } from "./run-child.js";

/** How this program ends where the command that it was given could not be run. */
export function notRun(command: string, { why, code }: ChildOutcome & { readonly kind: "not-run" }): CommandEnd {
  return why === "not-found"
    ? new CommandEnd(EXIT.notFound, { message: `there is no command ${command}`, remedy: "is it on your PATH?" })
    : new CommandEnd(EXIT.cannotRun, {
        message: `${command} cannot be run (${code})`,
        remedy: "is it a program, and may you execute it?",
      });
}
