import type { Changed, PoolDocuments, UpdateOutcome } from "../../../pool/documents.js";
import type { EventLoop } from "../event-loop.js";
import type { FleetProcess } from "../process.js";

/** As long as a client waits for its store. */
const STORE_TIMEOUT_MS = 250;

const NO_ANSWER = { kind: "failed", error: new Error("The store did not answer.") } as const;

/** What a {@link FleetStore} is made with. */
export interface FleetStoreOptions {
  readonly loop: EventLoop;
  /** Draws how long one way takes, in milliseconds. */
  readonly latencyMs: () => number;
  readonly onOperation: () => void;
}

/** The documents that a fleet's processes share: every change happens at one instant. */
export class FleetStore {
  readonly #options: FleetStoreOptions;
  #documents: ReadonlyMap<string, object> = new Map();
  #away = false;

  constructor(options: FleetStoreOptions) {
    this.#options = options;
  }

  /** All there is now. */
  get documents(): ReadonlyMap<string, object> {
    return this.#documents;
  }

  /** It forgets what came after `documents`. */
  putBack(documents: ReadonlyMap<string, object>): void {
    this.#documents = documents;
  }

  /** It answers nobody for so long. */
  goAway(forMs: number): void {
    this.#away = true;
    this.#options.loop.timer(forMs, () => {
      this.#away = false;
    });
  }

  seenBy(process: FleetProcess): PoolDocuments {
    return {
      update: (key, change, done) => {
        const { loop, latencyMs, onOperation } = this.#options;
        const thereMs = latencyMs();
        const backMs = latencyMs();
        onOperation();
        loop.timer(thereMs, () => {
          // A request under way reaches the store even when its process has just died.
          const outcome = this.#away ? NO_ANSWER : this.#change(key, change);
          loop.timer(this.#away ? STORE_TIMEOUT_MS : backMs, () => process.in(() => done(outcome)));
        });
      },
    };
  }

  #change<Result>(key: string, change: (doc: unknown) => Changed<Result>): UpdateOutcome<Result> {
    try {
      const { doc, result } = change(this.#documents.get(key));
      if (doc !== undefined) this.#documents = new Map(this.#documents).set(key, doc);
      return { kind: "done", result };
    } catch (error) {
      return { kind: "failed", error };
    }
  }
}
