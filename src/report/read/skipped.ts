/** Why a line could not be used. */
export type SkipReason =
  | "not JSON (torn, or no trace at all)"
  | "longer than a line may be"
  | "of another version of the trace"
  | "of an unknown kind"
  | "not a record of a call"
  | "with values that cannot be";

/** Lines that were passed over for one reason. */
export interface SkippedLines {
  readonly why: SkipReason;
  readonly lines: number;
  /** The first few of them. */
  readonly first: readonly { readonly source: string; readonly line: number; readonly detail: string }[];
}

/** How many are named. */
const NAMED = 5;

/** Counts the lines that could not be used, and names the first few of each kind. */
export class Skipped {
  readonly #byReason = new Map<SkipReason, { lines: number; first: SkippedLines["first"][number][] }>();

  add(why: SkipReason, source: string, line: number, detail: string): void {
    let entry = this.#byReason.get(why);
    if (entry === undefined) {
      entry = { lines: 0, first: [] };
      this.#byReason.set(why, entry);
    }
    entry.lines++;
    if (entry.first.length < NAMED) entry.first.push({ source, line, detail });
  }

  get lines(): number {
    let lines = 0;
    for (const entry of this.#byReason.values()) lines += entry.lines;
    return lines;
  }

  list(): readonly SkippedLines[] {
    return [...this.#byReason].map(([why, entry]) => ({ why, ...entry })).sort((a, b) => b.lines - a.lines);
  }
}
