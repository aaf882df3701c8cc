import { existsSync } from "node:fs";
import { readdir, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CancelTimer, Clock } from "../../clock.js";
import { isExpired } from "./file-entry.js";
import { readHead } from "./read-head.js";
import { FILE_MODE } from "./whole-file.js";

/** How often a directory is swept, by whichever process comes first. */
const SWEEP_EVERY_MS = 15 * 60_000;
/** After the first write, so that a short-lived command does not begin by sweeping. */
const DELAY_MS = 5_000;
/** What belongs to one write or one lock lives for milliseconds; a stopped process may keep it for longer. */
const LITTER_AGE_MS = 10 * 60_000;
/** What was set aside is kept for somebody to look at. */
const CORRUPT_AGE_MS = 30 * 24 * 3_600_000;
/** When the directory was swept last, by the time of this file. */
const MARK = "swept";

/**
 * Clears away what killed processes and passing time leave behind: expired entries, temporary files, names of owners that
 * are gone. Nothing of it is needed to read right; it is only about space.
 */
export class Janitor {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #removeExpired: (path: string) => Promise<void>;
  #cancelTimer: CancelTimer | undefined;
  #nextAt = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(directory: string, clock: Clock, removeExpired: (path: string) => Promise<void>) {
    this.#directory = directory;
    this.#clock = clock;
    this.#removeExpired = removeExpired;
  }

  /** Sweeps soon, in the background, if it is time. */
  mayRun(): void {
    const now = this.#clock.monotonic();
    if (this.#stopped || now < this.#nextAt) return;
    this.#nextAt = now + SWEEP_EVERY_MS;
    this.#cancelTimer = this.#clock.timer(DELAY_MS, () => void this.sweep().catch(() => undefined), { unref: true });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  /** Sweeps, unless another process has done so lately. */
  async sweep(): Promise<void> {
    const mark = join(this.#directory, MARK);
    if ((await ageOf(mark, this.#clock.now())) < SWEEP_EVERY_MS) return;
    await writeFile(mark, "", { mode: FILE_MODE });
    for (const name of await readdir(this.#directory)) {
      if (this.#stopped) return;
      // One file that resists must not keep the rest.
      await this.#visit(name).catch(() => undefined);
    }
  }

  async #visit(name: string): Promise<void> {
    const path = join(this.#directory, name);
    const now = this.#clock.now();
    if (name.endsWith(".json")) {
      const head = await readHead(path);
      if (head !== undefined && isExpired(head, now)) await this.#removeExpired(path);
    } else if (/\.(tmp|owner|note)$/.test(name)) {
      // An owner that is alive writes its name again when it misses it.
      if ((await ageOf(path, now)) > LITTER_AGE_MS) await unlink(path);
    } else if (name.includes(".lock.break-")) {
      // Breakers count on each other's files while there is something to break.
      const lock = path.replace(/\.break-.*$/, "");
      if (!existsSync(lock) && (await ageOf(path, now)) > LITTER_AGE_MS) await unlink(path);
    } else if (name.includes(".corrupt-")) {
      if ((await ageOf(path, now)) > CORRUPT_AGE_MS) await unlink(path);
    }
  }
}

async function ageOf(path: string, now: number): Promise<number> {
  try {
    return now - (await stat(path)).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
