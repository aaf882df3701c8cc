import { EventEmitter } from "node:events";
import { mkdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, sleep } from "../../clock.js";
import { unreadableDocument } from "../document.js";
import type { Documents, Step } from "../documents.js";
import { type FileEntry, formatEntry, isExpired, parseEntry } from "./file-entry.js";
import { FileLocks, type HeldLock } from "./file-lock.js";
import { fileName } from "./file-name.js";
import { homePath } from "./home-path.js";
import { Janitor } from "./janitor.js";
import { readHead } from "./read-head.js";
import { quarantinedUntil, setAside } from "./set-aside.js";
import { readWhole, readWholeSync, removeSync, replaceSync, writePrivateSync, writeWhole } from "./whole-file.js";

/** Settings of a {@link FileStore}. */
export interface FileStoreOptions {
  /** `~` stands for the home directory. */
  readonly directory: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onWarning: (message: string) => void;
}

const REMEDY = "Look at the file that was set aside; a new one is begun after a minute.";

/** A lock is held for a millisecond or less; who waits in longer steps is overtaken again and again. */
const LOCK_PAUSE_MS = 3;
/** Looking after a lock's owner costs more than trying again, and owners seldom die. */
const TRIES_PER_LOOK = 4;

/**
 * A Keyv adapter on a directory: one file of readable JSON per key, safe among many processes and against kill -9.
 *
 * Plain entries are replaced as whole files without a lock: the last write wins, as in a cache. Documents are changed
 * under a lock file of their own, in one synchronous stretch of well under a millisecond.
 */
export class FileStore extends EventEmitter {
  /** Keyv 5 asks adapters for these. */
  readonly opts: { readonly dialect: string; readonly url: string };
  namespace: string | undefined;
  readonly documents: Documents;
  readonly #directory: string;
  readonly #options: FileStoreOptions;
  readonly #locks: FileLocks;
  readonly #janitor: Janitor;
  #temporaries = 0;

  constructor(options: FileStoreOptions) {
    super();
    this.#options = options;
    this.#directory = homePath(options.directory);
    this.opts = { dialect: "file", url: `file:${this.#directory}` };
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    this.#locks = new FileLocks(this.#directory, options.clock);
    this.#janitor = new Janitor(this.#directory, options.clock, (path) => this.#removeExpired(path));
    this.documents = {
      atomicity: "atomic",
      read: (key) => this.#readDocument(key),
      update: (key, step, abandoned) => this.#updateDocument(key, step, abandoned),
    };
  }

  async get(key: string): Promise<string | undefined> {
    const path = this.#path(key);
    const content = await readWhole(path);
    if (content === undefined) return undefined;
    const entry = ownEntry(content, key);
    if (entry === undefined) throw await this.#whenLocked(path, () => this.#setAsideIfCorrupt(path, key));
    return isExpired(entry, this.#options.clock.now()) ? undefined : entry.text;
  }

  async getMany(keys: readonly string[]): Promise<Array<string | undefined>> {
    return Promise.all(keys.map((key) => this.get(key)));
  }

  async set(key: string, text: string, ttlMs?: number): Promise<void> {
    const { clock } = this.#options;
    const path = this.#path(key);
    const expiresAt = expiryIn(text) ?? (ttlMs === undefined ? undefined : clock.now() + ttlMs);
    this.#janitor.mayRun();
    await writeWhole(path, formatEntry({ key, expiresAt, text }), this.#temporary(path), clock);
  }

  async delete(key: string): Promise<boolean> {
    const path = this.#path(key);
    return this.#whenLocked(path, () => removeSync(path));
  }

  async has(key: string): Promise<boolean> {
    return (await this.get(key)) !== undefined;
  }

  /** Deletes the entries of the namespace; without one, all. */
  async clear(): Promise<void> {
    const prefix = this.namespace === undefined ? "" : `${this.namespace}:`;
    for await (const { path, key } of this.#files()) {
      if (key.startsWith(prefix)) await this.#whenLocked(path, () => removeSync(path));
    }
  }

  async *iterator(namespace?: string): AsyncGenerator<[string, string]> {
    const prefix = namespace === undefined ? "" : `${namespace}:`;
    for await (const { key } of this.#files()) {
      if (!key.startsWith(prefix)) continue;
      const text = await this.get(key).catch(() => undefined);
      if (text !== undefined) yield [key, text];
    }
  }

  /** The keys of all files, some at a time, without reading what lies under them. */
  async *keyPages(): AsyncGenerator<readonly string[]> {
    for await (const { key } of this.#files()) yield [key];
  }

  async disconnect(): Promise<void> {
    this.#janitor.stop();
    this.#locks.close();
  }

  async #readDocument(key: string): Promise<string | undefined> {
    const path = this.#path(key);
    const content = await readWhole(path);
    if (content === undefined) {
      this.#checkQuarantine(path, key);
      return undefined;
    }
    const entry = ownEntry(content, key);
    if (entry === undefined) {
      const error = await this.#whenLocked(path, () => this.#setAsideIfCorrupt(path, key));
      throw unreadableDocument(key, error.message, REMEDY);
    }
    return entry.text;
  }

  #updateDocument(key: string, step: Step, abandoned: () => boolean): Promise<void> {
    const path = this.#path(key);
    this.#janitor.mayRun();
    const change = (lock: HeldLock): void => {
      const content = readWholeSync(path);
      if (content === undefined) this.#checkQuarantine(path, key);
      const entry = content === undefined ? undefined : ownEntry(content, key);
      if (content !== undefined && entry === undefined) {
        throw unreadableDocument(key, this.#setAsideIfCorrupt(path, key).message, REMEDY);
      }
      const next = step(entry?.text);
      if (next === undefined) return;
      const temporary = this.#temporary(path);
      try {
        writePrivateSync(temporary, formatEntry({ key, expiresAt: expiryIn(next.text), text: next.text }));
        if (!lock.isMine()) throw new Error("this process was stopped for so long that its lock was given to another");
        replaceSync(temporary, path);
      } catch (error) {
        removeSync(temporary);
        throw error;
      }
    };
    return this.#whenLocked(path, change, abandoned);
  }

  /** Waits for the lock of `path`, then runs `work` in one synchronous stretch. */
  async #whenLocked<T>(path: string, work: (lock: HeldLock) => T, abandoned: () => boolean = () => false): Promise<T> {
    const { clock, random } = this.#options;
    for (let attempt = 0; ; attempt++) {
      if (abandoned()) throw new Error("its time was over");
      const lock = this.#locks.tryLock(`${path}.lock`, attempt % TRIES_PER_LOOK === TRIES_PER_LOOK - 1);
      if (lock !== undefined) {
        try {
          return work(lock);
        } finally {
          lock.release();
        }
      }
      await sleep(clock, LOCK_PAUSE_MS * random());
    }
  }

  /** Under the lock, since the file may have been replaced by a sound one in the meantime. */
  #setAsideIfCorrupt(path: string, key: string): Error {
    const { clock, onWarning } = this.#options;
    const content = readWholeSync(path);
    if (content === undefined || ownEntry(content, key) !== undefined)
      return new Error("its file was just being repaired");
    const error = setAside(path, clock.now());
    onWarning(error.message);
    this.emit("error", error);
    return error;
  }

  #checkQuarantine(path: string, key: string): void {
    const until = quarantinedUntil(path, this.#options.clock.now());
    if (until === undefined) return;
    const from = new Date(until).toISOString();
    throw unreadableDocument(key, `its file was set aside; a new one may be begun at ${from}`, REMEDY);
  }

  async #removeExpired(path: string): Promise<void> {
    await this.#whenLocked(path, () => {
      const content = readWholeSync(path);
      const entry = content === undefined ? undefined : parseEntry(content);
      if (entry !== undefined && isExpired(entry, this.#options.clock.now())) removeSync(path);
    });
  }

  async *#files(): AsyncGenerator<{ readonly path: string; readonly key: string }> {
    for (const name of await readdir(this.#directory)) {
      if (!name.endsWith(".json")) continue;
      const path = join(this.#directory, name);
      const head = await readHead(path);
      if (head !== undefined) yield { path, key: head.key };
    }
  }

  #path(key: string): string {
    return join(this.#directory, `${fileName(key)}.json`);
  }

  #temporary(path: string): string {
    return `${path}.${this.#locks.id}-${++this.#temporaries}.tmp`;
  }
}

/** The entry in `content`, if it is one and that of `key`. */
function ownEntry(content: string, key: string): FileEntry | undefined {
  const entry = parseEntry(content);
  return entry?.key === key ? entry : undefined;
}

/** Keyv writes the expiry into its texts. */
function expiryIn(text: string): number | undefined {
  const found = /,"expires":(\d+)\}$/.exec(text);
  return found === null ? undefined : Number(found[1]);
}
