import type { Clock } from "../clock.js";
import type { QuotaDocument } from "../policy/share/quota-document.js";
import { Mirror } from "../store/mirror.js";
import type { PoolIdentity } from "./keys.js";

/** What a {@link PoolMirror} is made with. */
export interface PoolMirrorOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly report: (what: string, cause: unknown) => void;
}

/** Writes the core quota of the first pool that shows itself to a file that other tools read. The file has room for one. */
export class PoolMirror {
  readonly #mirror: Mirror;
  #shown: PoolIdentity | undefined;

  constructor({ path, clock, report }: PoolMirrorOptions) {
    const onError = (error: unknown): void => report("the pool's mirror file was not written", error);
    this.#mirror = new Mirror({ path, clock, onError });
  }

  show(pool: PoolIdentity, doc: QuotaDocument): void {
    this.#shown ??= pool;
    if (this.#shown.name !== pool.name || this.#shown.host !== pool.host) return;
    const spenders = Object.entries(doc.allocations).map(([id, { priority, allocated, used, leaseExpiry }]) => ({
      name: agentOf(id),
      priority,
      allocated,
      used,
      leaseExpiry,
    }));
    this.#mirror.show({ totalLimit: doc.totalLimit, resetAt: doc.resetAt ?? undefined, spenders });
  }

  /** Resolves when the file shows what was shown last. */
  flush(): Promise<void> {
    return this.#mirror.flush();
  }
}

/** Spenders are named after their process's agent. */
function agentOf(spender: string): string {
  const end = spender.lastIndexOf("~");
  return end < 0 ? spender : spender.slice(0, end);
}
