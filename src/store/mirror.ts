import type { Clock } from "../clock.js";
import type { Priority } from "../policy/light.js";

/** What the mirror shows of a pool: the core resource of one principal. */
export interface PoolSnapshot {
  /** Units per window. */
  readonly totalLimit: number;
  /** Epoch milliseconds; undefined while no window is known. */
  readonly resetAt: number | undefined;
  readonly spenders: readonly SpenderSnapshot[];
}

/** One spender, as the mirror shows it. */
export interface SpenderSnapshot {
  readonly name: string;
  readonly priority: Priority;
  /** Units of this window. */
  readonly allocated: number;
  /** Units of this window. */
  readonly used: number;
  /** Epoch milliseconds. */
  readonly leaseExpiry: number;
}

/** The file that tools for agent squads read, conventionally `~/.squad/rate-pool.json`. */
export interface MirrorFile {
  readonly totalLimit: number;
  readonly resetAt: string | null;
  readonly allocations: { readonly [name: string]: MirrorAllocation };
}

/** One agent in a {@link MirrorFile}. */
export interface MirrorAllocation {
  readonly priority: Priority;
  readonly allocated: number;
  readonly used: number;
  readonly leaseExpiry: string;
}

/**
 * The pool in the shape of the squads' shared file. Spenders of one name (agents of one name on two machines) become one
 * allocation: their units together, the highest priority, the latest lease.
 */
export function mirrorOf(pool: PoolSnapshot): MirrorFile {
  const byName = new Map<string, SpenderSnapshot>();
  for (const spender of pool.spenders) {
    const same = byName.get(spender.name);
    byName.set(spender.name, same === undefined ? spender : together(same, spender));
  }
  const allocations = [...byName.values()]
    .sort((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1))
    .map(({ name, priority, allocated, used, leaseExpiry }): [string, MirrorAllocation] => [
      name,
      { priority, allocated: Math.floor(allocated), used: Math.ceil(used), leaseExpiry: toSeconds(leaseExpiry) },
    ]);
  return {
    totalLimit: pool.totalLimit,
    resetAt: pool.resetAt === undefined ? null : toSeconds(pool.resetAt),
    // fromEntries defines properties, so that an agent named __proto__ is one like any other.
    allocations: Object.fromEntries(allocations),
  };
}

/** Settings of a {@link Mirror}. */
export interface MirrorOptions {
  /** The file; `~` stands for the home directory. */
  readonly path: string;
  readonly clock: Clock;
  /** Told of a file that cannot be written; the pool goes on without it. */
  readonly onError: (error: unknown) => void;
}

/** Readers poll; more often than this is nothing to them. */
const WRITE_EVERY_MS = 1_000;

/** Writes the mirror, as a whole file, at most once a second; what comes in between is replaced by what comes last. */
export class Mirror {
  readonly #options: MirrorOptions;
  #next: PoolSnapshot | undefined;
  #writing: Promise<void> | undefined;
  #nextAt = Number.NEGATIVE_INFINITY;
  #writes = 0;

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  /** Returns at once; the file follows. */
  show(pool: PoolSnapshot): void {
    this.#next = pool;
    this.#writing ??= this.#run();
  }

  /** Writes what has not been written yet, without waiting for the second to pass. */
  async flush(): Promise<void> {
    this.#nextAt = Number.NEGATIVE_INFINITY;
    this.#wake?.();
    await this.#writing;
  }

  #wake: (() => void) | undefined;

  async #run(): Promise<void> {
    const { clock, onError } = this.#options;
    while (this.#next !== undefined) {
      const waitMs = this.#nextAt - clock.monotonic();
      if (waitMs > 0) await this.#pause(waitMs);
      const pool = this.#next;
      this.#next = undefined;
      this.#nextAt = clock.monotonic() + WRITE_EVERY_MS;
      await this.#write(mirrorOf(pool)).catch(onError);
    }
    this.#writing = undefined;
  }

  /** The mirror must not keep a process alive; `flush` may cut the pause short. */
  #pause(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.timer(waitMs, resolve, { unref: true });
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  async #write(file: MirrorFile): Promise<void> {
    const { writeMirrorFile } = await import("./file/mirror-file.js");
    await writeMirrorFile(
      this.#options.path,
      `${JSON.stringify(file, null, 2)}\n`,
      ++this.#writes,
      this.#options.clock,
    );
  }
}

function together(one: SpenderSnapshot, other: SpenderSnapshot): SpenderSnapshot {
  return {
    name: one.name,
    priority: Math.min(one.priority, other.priority) as Priority,
    allocated: one.allocated + other.allocated,
    used: one.used + other.used,
    leaseExpiry: Math.max(one.leaseExpiry, other.leaseExpiry),
  };
}

/** `2026-03-22T20:00:00Z`, as the file has always had it. */
function toSeconds(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}
