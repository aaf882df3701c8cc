import type { KeyvStoreAdapter } from "keyv";
import type { Clock } from "../../clock.js";
import type { FleetProcess } from "./process.js";

/** What a {@link FleetStore} is made with. */
export interface FleetStoreOptions {
  readonly clock: Clock;
  /** Draws how long one way takes, in milliseconds; 0: everything happens at once. */
  readonly latencyMs: () => number;
  /** A value has taken another's place by compare-and-set. */
  readonly onReplaced?: (key: string, before: string | undefined, after: string) => void;
}

interface Entry {
  readonly text: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** The one store that a fleet's processes share, on a server of its own. */
export class FleetStore {
  readonly #options: FleetStoreOptions;
  readonly #entries = new Map<string, Entry>();
  #away = false;
  #operations = 0;

  constructor(options: FleetStoreOptions) {
    this.#options = options;
  }

  /** How often it was asked for something. */
  get operations(): number {
    return this.#operations;
  }

  /** It answers nobody for so long. */
  goAway(forMs: number): void {
    this.#away = true;
    this.#options.clock.timer(forMs, () => {
      this.#away = false;
    });
  }

  /**
   * The way of one process to it. It has the shape of `@keyv/redis`, so that squads find its compare-and-set: what is
   * evaluated there is theirs, and understood here by its arguments.
   */
  seenBy(process: FleetProcess): KeyvStoreAdapter {
    const ask = <T>(work: () => T): Promise<T> => this.#ask(process, work);
    const client = {
      get: (key: string) => ask(() => this.#read(key)),
      eval: (_script: string, { keys, arguments: given }: { keys: string[]; arguments: string[] }) =>
        ask(() => this.#swap(keys[0] ?? "", given)),
    };
    const adapter = {
      opts: {},
      namespace: undefined,
      getClient: async () => client,
      createKeyPrefix: (key: string) => key,
      get: (key: string) => ask(() => this.#read(key)),
      set: (key: string, text: string, ttlMs?: number) => ask(() => this.#write(key, text, ttlMs)),
      delete: (key: string) => ask(() => this.#entries.delete(key)),
      clear: () => ask(() => this.#entries.clear()),
      on: () => adapter,
    };
    return adapter as unknown as KeyvStoreAdapter;
  }

  /** A request under way reaches the store even when its process has just died; the answer does not reach the process. */
  async #ask<T>(process: FleetProcess, work: () => T): Promise<T> {
    const { clock, latencyMs } = this.#options;
    if (!process.runs) return noAnswer();
    this.#operations += 1;
    const thereMs = latencyMs();
    if (thereMs > 0) await new Promise<void>((resolve) => clock.timer(thereMs, resolve));
    if (this.#away) return noAnswer();
    const answer = work();
    if (thereMs > 0) await new Promise<void>((resolve) => clock.timer(thereMs, () => process.in(resolve)));
    return answer;
  }

  #read(key: string): string | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > this.#options.clock.now()) return entry.text;
    this.#entries.delete(key);
    return undefined;
  }

  #write(key: string, text: string, ttlMs: number | undefined): void {
    const expiresAt = ttlMs === undefined ? Number.POSITIVE_INFINITY : this.#options.clock.now() + ttlMs;
    this.#entries.set(key, { text, expiresAt });
  }

  #swap(key: string, [how, expected, text, ttlMs]: readonly string[]): readonly (number | string)[] {
    const current = this.#read(key);
    if (current !== (how === "absent" ? undefined : expected)) return current === undefined ? [0] : [0, current];
    this.#write(key, text ?? "", ttlMs === "" || ttlMs === undefined ? undefined : Number(ttlMs));
    this.#options.onReplaced?.(key, current, text ?? "");
    return [1];
  }
}

/** It is given up by those who wait, not here. One for each, lest one promise keep them all in memory. */
function noAnswer(): Promise<never> {
  return new Promise(() => {});
}
