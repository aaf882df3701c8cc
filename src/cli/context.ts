import type { Clock } from "../clock.js";

/** Where a command writes. */
export interface Output {
  write(text: string): void;
  /** A terminal, and how wide it is. */
  readonly isTerminal: boolean;
  readonly columns: number;
}

/** What a command may see and touch of the process it runs in, so that tests can give it another. */
export interface CommandContext {
  /** Results, and nothing else: it may be piped into another program. */
  readonly out: Output;
  /** Progress, warnings and errors. */
  readonly err: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  /** Aborts when the process is told to end (SIGINT, SIGTERM). */
  readonly signal: AbortSignal;
  /** Asks a person yes or no; undefined where there is nobody to be asked. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
}
