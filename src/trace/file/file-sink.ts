import { dirname } from "node:path";
import type { CancelTimer, Clock } from "../../clock.js";
import type { TraceRecord } from "../record.js";
import type { OnSinkFailure, TraceCounts, TraceSink } from "../sink.js";
import { append } from "./append.js";
import { atExit } from "./at-exit.js";
import { type FileSystem, fileSystemAtOnce, loadFileSystem } from "./file-system.js";
import { type RotationLocks, rotate } from "./rotate.js";

/** What a {@link FileSink} is made with. */
export interface FileSinkSettings {
  /** An absolute path. */
  readonly path: string;
  readonly maxBytes: number;
  readonly keep: number;
  readonly clock: Clock;
  readonly onFailure: OnSinkFailure;
  /** A record as one line of JSON. */
  readonly lineOf: (record: TraceRecord) => string;
  /** The machine's, unless a test plays one that fails. */
  readonly fs?: FileSystem | undefined;
}

/** How long a record lies in memory at most, which is what a process that is killed loses. */
const FLUSH_MS = 200;
/** Characters that are written at once. */
const BATCH = 131_072;
/** Characters that are held while the file cannot be written. */
const MAX_HELD = 1_048_576;

/**
 * Appends records to a file, one line each. What comes within a fifth of a second, or 128 KiB of it, is one write.
 *
 * The write is synchronous: it goes to the kernel's memory in some 50 microseconds, and so it works in the process's last
 * moment too. While the file cannot be written the lines are held, up to a megabyte.
 */
export class FileSink implements TraceSink {
  readonly where: string;
  readonly #settings: FileSinkSettings;
  readonly #batch: number;
  #fs: FileSystem | undefined;
  #loading: Promise<void> | undefined;
  #locks: RotationLocks | undefined;
  #rotating: Promise<void> | undefined;
  #text = "";
  #held = 0;
  #records = 0;
  #dropped = 0;
  #isFailing = false;
  #cannotRotate = false;
  #cannotTell = false;
  #cancelFlush: (() => void) | undefined;

  constructor(settings: FileSinkSettings) {
    this.where = settings.path;
    this.#settings = settings;
    this.#batch = Math.min(BATCH, settings.maxBytes);
    this.#fs = settings.fs;
  }

  write(record: TraceRecord): void {
    this.#records++;
    const line = this.#lineOf(record);
    if (line === undefined) return;
    this.#held++;
    this.#text += `${line}\n`;
    if (this.#text.length >= this.#batch && !this.#isFailing) this.#write();
    else if (this.#text.length > MAX_HELD) this.#drop();
    if (this.#held > 0 && this.#cancelFlush === undefined) this.#flushLater();
  }

  counts(): TraceCounts {
    return { records: this.#records, dropped: this.#dropped };
  }

  /** Records that others made may hold what is no JSON. */
  #lineOf(record: TraceRecord): string | undefined {
    try {
      const line: string | undefined = this.#settings.lineOf(record);
      if (line !== undefined) return line;
      throw new TypeError("It is nothing that JSON can say.");
    } catch (error) {
      this.#dropped++;
      if (!this.#cannotTell) this.#settings.onFailure("a record of the trace cannot be written as JSON", error);
      this.#cannotTell = true;
      return undefined;
    }
  }

  /** Writes what is held. */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    this.#write();
    if (this.#held > 0 && this.#fs !== undefined) this.#flushLater();
  }

  #write(): void {
    if (this.#held === 0) return;
    this.#fs ??= fileSystemAtOnce();
    if (this.#fs === undefined) {
      this.#load();
      return;
    }
    const lines = Buffer.from(this.#text);
    const { written, size, error } = append(this.#fs, this.where, lines);
    if (error === undefined) {
      this.#text = "";
      this.#held = 0;
      this.#isFailing = false;
      if (size !== undefined && size > this.#settings.maxBytes) this.#rotate(this.#fs);
    } else {
      this.#keepWhatIsLeft(lines, written);
      this.#failed(error);
      if (this.#text.length > MAX_HELD) this.#drop();
    }
  }

  async close(): Promise<void> {
    this.flush();
    // What is loading ends with a flush.
    await this.#loading;
    await this.#rotating;
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#isFailing) this.#drop();
  }

  #flushLater(): void {
    const cancelTimer: CancelTimer = this.#settings.clock.timer(FLUSH_MS, () => this.flush(), { unref: true });
    const cancelExit = atExit(() => this.flush());
    this.#cancelFlush = () => {
      cancelTimer();
      cancelExit();
    };
  }

  /** Of a line that was written in part nothing more can be made: others may have written behind it. */
  #keepWhatIsLeft(lines: Buffer, written: number): void {
    if (written === 0) return;
    const isWhole = lines[written - 1] === NEWLINE;
    const next = isWhole ? written : lines.indexOf(NEWLINE, written) + 1;
    this.#text = lines.toString("utf8", next);
    this.#held = countLines(this.#text);
    if (!isWhole) this.#dropped++;
  }

  #drop(): void {
    this.#dropped += this.#held;
    this.#text = "";
    this.#held = 0;
  }

  #failed(cause: unknown): void {
    if (!this.#isFailing) this.#settings.onFailure(`the trace file ${this.where} cannot be written`, cause);
    this.#isFailing = true;
  }

  #load(): void {
    this.#loading ??= loadFileSystem().then(
      (fs) => {
        this.#fs = fs;
        this.flush();
      },
      (error: unknown) => {
        this.#loading = undefined;
        this.#failed(error);
        this.#drop();
      },
    );
  }

  /** Locks are loaded when a file is full for the first time; until then it grows. */
  #rotate(fs: FileSystem): void {
    if (this.#locks !== undefined) this.#rotateBehind(fs, this.#locks);
    else this.#rotating ??= this.#loadLocks(fs);
  }

  async #loadLocks(fs: FileSystem): Promise<void> {
    const { clock } = this.#settings;
    try {
      const { FileLocks } = await import("../../store/file/file-lock.js");
      this.#locks = new FileLocks(dirname(this.where), clock);
      this.#rotateBehind(fs, this.#locks);
    } catch (error) {
      this.#rotationFailed(error);
    } finally {
      this.#rotating = undefined;
    }
  }

  #rotateBehind(fs: FileSystem, locks: RotationLocks): void {
    const { maxBytes, keep } = this.#settings;
    try {
      rotate(fs, locks, this.where, { maxBytes, keep });
      this.#cannotRotate = false;
    } catch (error) {
      this.#rotationFailed(error);
    }
  }

  /** Nothing is lost by it; the file grows, and the next batch tries again. */
  #rotationFailed(cause: unknown): void {
    if (!this.#cannotRotate) {
      this.#settings.onFailure(`the trace file ${this.where} has grown too large and cannot be renamed`, cause);
    }
    this.#cannotRotate = true;
  }
}

const NEWLINE = 10;

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
