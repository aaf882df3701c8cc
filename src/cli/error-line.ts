import { CommanderError } from "commander";
import { redact } from "../call/redact.js";
import { isSquadRateError, type SquadRateErrorCode } from "../errors.js";
import { CommandEnd } from "./command-end.js";
import { EXIT, type ExitCode } from "./exit-code.js";

/** How a failed command ends, and the one line that says why; an empty one if all has been said. */
export interface Ending {
  readonly exitCode: ExitCode;
  readonly line: string;
}

/** Of whatever a command threw. `helpOf` names what prints the help that would have prevented it. */
export function endingOf(error: unknown, helpOf: string): Ending {
  if (error instanceof CommandEnd) return { exitCode: error.exitCode, line: lineOf(error.message, error.remedy) };
  // Help and version have been printed, and end with 0.
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { exitCode: EXIT.ok, line: "" };
    // Without a command there is nothing to do but to print the help, on standard error.
    if (error.code === "commander.help") return { exitCode: EXIT.usage, line: "" };
    return { exitCode: EXIT.usage, line: lineOf(usageMessage(error.message), `${helpOf} says what there is`) };
  }
  if (isSquadRateError(error)) return { exitCode: codeOf(error.code), line: lineOf(error.message, error.remedy) };
  const message = error instanceof Error ? error.message : String(error);
  return {
    exitCode: EXIT.fault,
    line: lineOf(message, "SQUAD_RATE_DEBUG=1 shows where; please report it if it is no fault of your machine"),
  };
}

function codeOf(code: SquadRateErrorCode): ExitCode {
  if (code === "SQUAD_RATE_OPTIONS") return EXIT.usage;
  return code === "SQUAD_RATE_STORE" ? EXIT.unavailable : EXIT.found;
}

/** Commander's words in ours: `error: unknown option '--stor'\n(Did you mean --store?)`. */
function usageMessage(message: string): string {
  return message.replace(/^error: /, "").replace(/\n\(Did you mean ([^?]*)\?\)/, "; did you mean $1?");
}

function lineOf(message: string, remedy: string | undefined): string {
  if (message === "") return "";
  const what = oneLine(message).replace(/\.$/, "");
  const help = asClause(oneLine(remedyWorthSaying(remedy) ?? ""));
  const sentence = help === "" ? what : `${what}${/[?!]$/.test(what) ? " " : "; "}${help}`;
  return `squad-rate: ${redact(sentence)}`;
}

/** Undefined for one that says what the message has said. */
export function remedyWorthSaying(remedy: string | undefined): string | undefined {
  return remedy === undefined || REPEATS_THE_RULE.test(remedy) ? undefined : remedy;
}

/** It is for readers of code. */
const REPEATS_THE_RULE = /^Give .+ a value that is .*, or leave it out for the default\.$/s;

/** `Write https:// in it.` after a semicolon. */
function asClause(sentence: string): string {
  return sentence.replace(/\.$/, "").replace(/^\p{Lu}(?=\p{Ll}|\s)/u, (first) => first.toLowerCase());
}

/** Control characters could move a terminal's cursor or change its title. */
function oneLine(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "\u{fffd}")
    .trim();
}
