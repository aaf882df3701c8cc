import type { TraceRecord } from "./record.js";

/** What a sink has done so far. */
export interface TraceCounts {
  /** Records that it was given. */
  readonly records: number;
  /** Those among them that are lost, because it failed. */
  readonly dropped: number;
}

/** Where records go. No method throws. */
export interface TraceSink {
  /** For a person to read: the path of a file, or `function`. */
  readonly where: string;
  write(record: TraceRecord): void;
  counts(): TraceCounts;
  /** Writes what it holds, as far as it can at once. */
  flush(): void;
  /** Resolves when all that it was given is where it belongs, or lost. What is written later is still taken. */
  close(): Promise<void>;
}

/** Told when a sink fails: once for each time that it begins to fail. */
export type OnSinkFailure = (what: string, cause: unknown) => void;
