import { createHash } from "node:crypto";
import { linkSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../clock.js";
import { isGone, type Owner, parseOwner, thisOwner } from "./owner.js";
import { errorCode, readWholeSync, removeSync, writePrivateSync } from "./whole-file.js";

/** A lock that this process holds. */
export interface HeldLock {
  /** False when somebody took it for abandoned, as after a long SIGSTOP: then nothing may be written any more. */
  isMine(): boolean;
  release(): void;
}

/** A lock whose owner cannot be asked is given up after having been seen, the very same, for so long. */
const ABANDONED_MS = 10_000;
/** Breakers that died while they broke. */
const MAX_BREAKERS = 5;
/** What `link` says where there are no hard links: FAT, some network and container file systems. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK", "EACCES"]);

interface Seen {
  /** Differs between any two holdings of a lock. */
  readonly identity: string;
  readonly owner: Owner | undefined;
}

/**
 * Locks as files, taken and left without waiting. A lock appears with its owner's name in it at once, because it is a hard
 * link to a file that is already written; where there are no links, by exclusive creation.
 */
export class FileLocks {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #me: Owner = thisOwner();
  /** Since when (monotonic) the same foreign lock has been seen, by its path. */
  readonly #sightings = new Map<string, { readonly identity: string; readonly since: number }>();
  readonly #linkSync: typeof linkSync;
  #links = true;

  /** `link` is the file system's, unless a test plays one without links. */
  constructor(directory: string, clock: Clock, link: typeof linkSync = linkSync) {
    this.#directory = directory;
    this.#clock = clock;
    this.#linkSync = link;
  }

  /** Names this store's own files; different for any two opened stores. */
  get id(): string {
    return this.#me.id;
  }

  /** Tries once; with `mayBreak` once more after clearing away the lock of an owner that is gone, which takes longer. */
  tryLock(path: string, mayBreak: boolean): HeldLock | undefined {
    if (!this.#create(path) && !(mayBreak && this.#isAbandoned(path) && this.#create(path))) return undefined;
    this.#sightings.delete(path);
    const inode = inodeOf(path);
    return {
      isMine: () => inode !== undefined && inodeOf(path) === inode,
      release: () => {
        if (inode !== undefined && inodeOf(path) === inode) removeSync(path);
      },
    };
  }

  close(): void {
    removeSync(this.#ownerFile());
  }

  #ownerFile(): string {
    return join(this.#directory, `${this.#me.id}.owner`);
  }

  #create(path: string): boolean {
    if (this.#links) {
      const linked = this.#link(path);
      if (linked !== undefined) return linked;
      this.#links = false;
    }
    try {
      writePrivateSync(path, JSON.stringify(this.#me));
      return true;
    } catch (error) {
      if (errorCode(error) === "EEXIST") return false;
      throw error;
    }
  }

  /** Undefined where there are no hard links. */
  #link(path: string): boolean | undefined {
    for (let retry = 0; ; retry++) {
      try {
        this.#linkSync(this.#ownerFile(), path);
        return true;
      } catch (error) {
        const code = errorCode(error) ?? "";
        if (code === "EEXIST") return false;
        if (NO_LINKS.has(code)) return undefined;
        // First use, or somebody swept our file away.
        if (code !== "ENOENT" || retry > 1) throw error;
        writeOwner(this.#ownerFile(), this.#me);
      }
    }
  }

  /** Whether the lock's owner is gone and its lock is removed. */
  #isAbandoned(path: string): boolean {
    const seen = look(path);
    if (seen === undefined) return true;
    return this.#mayBreak(path, seen) && this.#break(path, seen);
  }

  #mayBreak(path: string, { identity, owner }: Seen): boolean {
    if (owner !== undefined && isGone(owner, this.#me)) return true;
    const now = this.#clock.monotonic();
    const sighting = this.#sightings.get(path);
    if (sighting?.identity !== identity) {
      this.#sightings.set(path, { identity, since: now });
      return false;
    }
    return now - sighting.since >= ABANDONED_MS;
  }

  /**
   * Removes the lock that was seen, and no other. Only who holds the breaker's lock of that very owner may do it, and
   * looks again first; so the lock cannot have become somebody else's between looking and removing. A breaker that died
   * is followed by the next in number, never removed while its lock stands.
   */
  #break(path: string, seen: Seen): boolean {
    const name = seen.owner?.id ?? createHash("sha256").update(seen.identity).digest("hex").slice(0, 13);
    for (let number = 1; number <= MAX_BREAKERS; number++) {
      const breaker = `${path}.break-${name}-${number}`;
      if (!this.#create(breaker)) {
        const other = look(breaker);
        // Gone this very moment: its work is done, and whoever takes a number now must begin at the first.
        if (other === undefined || !this.#mayBreak(breaker, other)) return false;
        continue;
      }
      try {
        if (look(path)?.identity === seen.identity) removeSync(path);
      } finally {
        for (let each = 1; each <= number; each++) removeSync(`${path}.break-${name}-${each}`);
      }
      return true;
    }
    return false;
  }
}

function writeOwner(path: string, owner: Owner): void {
  try {
    writePrivateSync(path, JSON.stringify(owner));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

function look(path: string): Seen | undefined {
  try {
    // The time of the last link or unlink tells one holding from the next, which has the same owner's file for its inode.
    const { ino, ctimeNs } = statSync(path, { bigint: true });
    const text = readWholeSync(path);
    return text === undefined ? undefined : { identity: `${ino}:${ctimeNs}:${text}`, owner: parseOwner(text) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function inodeOf(path: string): bigint | undefined {
  try {
    return statSync(path, { bigint: true }).ino;
  } catch {
    return undefined;
  }
}
