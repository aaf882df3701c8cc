import type { Clock } from "../clock.js";

/** What a step makes of a document's text. */
export interface Written {
  readonly text: string;
  /** Time to live in milliseconds; undefined: for ever. */
  readonly ttlMs: number | undefined;
}

/** Pure and synchronous, and may be run again on newer text: undefined in means no document, undefined out no write. */
export type Step = (text: string | undefined) => Written | undefined;

/** Documents as texts under keys, in one kind of store. */
export interface Documents {
  readonly atomicity: "atomic" | "advisory";
  read(key: string): Promise<string | undefined>;
  /**
   * Runs `step` on the current text and stores what it makes of it, as one change. Gives up, having changed nothing,
   * when `abandoned()` turns true while it waits for its turn.
   */
  update(key: string, step: Step, abandoned: () => boolean): Promise<void>;
}

/** Time and chance, as every kind of documents needs them. */
export interface Surroundings {
  readonly clock: Clock;
  readonly random: () => number;
}
