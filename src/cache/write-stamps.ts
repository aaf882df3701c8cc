import { LRUCache } from "lru-cache";
import type { Scope, WriteScope } from "../call/write-scope.js";

const MAX_REPOSITORIES = 10_000;

/**
 * Counts completed writes, so that no answer from before a write is served after it.
 *
 * A write inside a repository ends what was known of that repository and of everything that is not in a repository
 * (searches, a user's lists); a write elsewhere ends everything on its host.
 */
export class WriteStamps {
  #count = 0;
  readonly #hosts = new Map<string, HostStamps>();

  /** How many writes have completed. */
  get count(): number {
    return this.#count;
  }

  /** Called when a write has ended, whatever its answer: one that failed half-way may have taken effect. */
  stamp(host: string, scope: WriteScope): void {
    if (scope.kind === "nothing") return;
    let stamps = this.#hosts.get(host);
    if (stamps === undefined) {
      stamps = new HostStamps();
      this.#hosts.set(host, stamps);
    }
    stamps.stamp(++this.#count, scope);
  }

  /** The count at the last write that may have changed what a read of `scope` sees; 0 when there was none. */
  lastWrite(host: string, scope: Scope): number {
    return this.#hosts.get(host)?.lastWrite(scope) ?? 0;
  }
}

class HostStamps {
  /** The last write anywhere on the host. */
  #any = 0;
  /** The last write that is taken to concern every repository. */
  #everything = 0;
  readonly #repositories = new LRUCache<string, number>({
    max: MAX_REPOSITORIES,
    // What falls out of the list is covered by a stamp on everything: too much is asked again rather than too little.
    dispose: (count, _name, reason) => {
      if (reason === "evict") this.#everything = Math.max(this.#everything, count);
    },
  });

  stamp(count: number, scope: Scope): void {
    this.#any = count;
    if (scope.kind === "repository") this.#repositories.set(scope.name, count);
    else this.#everything = count;
  }

  lastWrite(scope: Scope): number {
    if (scope.kind !== "repository") return this.#any;
    return Math.max(this.#everything, this.#repositories.get(scope.name) ?? 0);
  }
}
