import { constants } from "node:os";
import type { ExitCode } from "./exit-code.js";

/** What an ending may say. */
export interface CommandEndWords {
  /** What went wrong, without a full stop. Without it nothing is printed. */
  readonly message?: string;
  /** What the reader can do about it. */
  readonly remedy?: string;
  readonly cause?: unknown;
}

/**
 * Thrown by an action that ends with another code than 0. An action that returns has ended with 0.
 *
 * @example
 * ```ts
 * throw new CommandEnd(EXIT.found); // everything has been said already
 * throw new CommandEnd(EXIT.unavailable, { message: "no proxy answers", remedy: "start one with squad-rate proxy" });
 * ```
 */
export class CommandEnd extends Error {
  override readonly name = "CommandEnd";
  readonly exitCode: ExitCode;
  readonly remedy: string | undefined;

  constructor(exitCode: ExitCode, { message = "", remedy, cause }: CommandEndWords = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
    this.remedy = remedy;
  }
}

/** The reason of {@link CommandContext.signal}; an action that throws it ends with `128 + n`, as shells show it. */
export class EndedBySignal extends CommandEnd {
  readonly signalName: NodeJS.Signals;

  constructor(signalName: NodeJS.Signals) {
    super(128 + constants.signals[signalName]);
    this.signalName = signalName;
  }
}
