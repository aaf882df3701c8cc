import { type Clock, systemClock } from "../clock.js";
import { resolveTraceFile, type TraceFileOptions } from "../options.js";
import { homePath } from "../store/file/home-path.js";
import { FileSink } from "./file/file-sink.js";
import type { TraceRecord } from "./record.js";
import type { TraceCounts } from "./sink.js";

/** A file that records are appended to. */
export interface TraceFile {
  /** Its absolute path. */
  readonly path: string;
  /** Takes a record; it is in the file within a fifth of a second. Never throws. */
  write(record: TraceRecord): void;
  /** Writes at once what it holds. */
  flush(): void;
  counts(): TraceCounts;
  /** Resolves when everything is written, or lost. */
  close(): Promise<void>;
}

/** What {@link openTraceFile} takes beside the file's options. */
export interface TraceFileHooks {
  /**
   * Told once each time that the file begins to fail.
   * @defaultValue nobody is told; `counts().dropped` says what was lost
   */
  readonly onFailure?: ((what: string, cause: unknown) => void) | undefined;
  /** @defaultValue the system's clock */
  readonly clock?: Clock | undefined;
}

/**
 * Opens a trace file as the option `trace: "…"` does, for records that come another way: picked out by a function, or from
 * `squad-rate:trace`. Many processes may append to one file; see {@link TraceFileOptions}. The file is made with the first
 * record, readable by its owner only.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` for a wrong option.
 *
 * @example
 * ```ts
 * const file = openTraceFile("~/.squad/expensive.jsonl");
 * const squad = createSquad({
 *   trace: (record) => {
 *     if (record.kind === "attempt" && record.chargedUnits > 10) file.write(record);
 *   },
 * });
 * ```
 */
export function openTraceFile(options: string | TraceFileOptions, hooks: TraceFileHooks = {}): TraceFile {
  const { file, maxBytes, keep } = resolveTraceFile(options);
  const { onFailure = () => undefined, clock = systemClock } = hooks;
  const sink = new FileSink({ path: homePath(file), maxBytes, keep, clock, onFailure, lineOf: JSON.stringify });
  return {
    path: sink.where,
    write: (record) => sink.write(record),
    flush: () => sink.flush(),
    counts: () => sink.counts(),
    close: () => sink.close(),
  };
}
