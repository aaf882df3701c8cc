/** A trace that is written to a file: one JSON object in each line, appended to by as many processes as name it. */
export interface TraceFileOptions {
  /**
   * The path of the file, by convention `*.jsonl`; a leading `~` is the home directory. It is made with the first record,
   * with its directory, readable by its owner only. On a disk of this machine: appending by many processes is not safe on
   * a network file system.
   */
  readonly file: string;
  /**
   * From how many bytes on the file is renamed and a new one begun, from 65,536 (64 KiB).
   * @defaultValue 104,857,600 (100 MiB)
   */
  readonly maxBytes?: number | undefined;
  /**
   * How many renamed files are kept, from 1 to 1,000: `trace.1.jsonl` is the newest of them. Processes that write to one
   * file should agree on both numbers.
   * @defaultValue 9
   */
  readonly keep?: number | undefined;
}
