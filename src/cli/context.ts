import type { Clock } from "../clock.js";

/** Where a command writes. */
export interface Output {
  write(text: string): void;
  /** A terminal, and how wide it is. */
  readonly isTerminal: boolean;
  /** Of the terminal; 80, or `COLUMNS`, where there is none. */
  readonly columns: number;
  /** Of the terminal; undefined where there is none. */
  readonly rows?: number | undefined;
}

/** What a command may see and touch of the process it runs in, so that tests can give it another. */
export interface CommandContext {
  /** Results, and nothing else: it may be piped into another program. */
  readonly out: Output;
  /** Progress, warnings and errors. */
  readonly err: Output;
  /** What is piped in. */
  readonly input: Input;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The user's home directory, beyond which no configuration is looked for. */
  readonly home: string;
  readonly clock: Clock;
  /**
   * Aborts when the process is told to end (SIGINT, SIGTERM), with an `EndedBySignal` as the reason; a second signal ends the
   * process at once. A command that never looks at it is ended by the first one.
   */
  readonly signal: AbortSignal;
  /** Asks a person yes or no; undefined where there is nobody to be asked. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
}

export interface Input {
  readonly isTerminal: boolean;
  /** To be read once. */
  readonly stream: AsyncIterable<Uint8Array>;
}
