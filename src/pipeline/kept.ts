import type { Engine } from "./engine.js";

/**
 * What the rooms above the pipeline keep for as long as a squad lives, which is longer than an Octokit does: an app makes
 * one for each event. The squad knows nothing of them.
 */
export class Kept {
  readonly #kept = new Map<(engine: Engine) => unknown, unknown>();

  /** What `make` makes of this squad: made when it is first asked for, and the same from then on. */
  of<T>(engine: Engine, make: (engine: Engine) => T): T {
    if (!this.#kept.has(make)) this.#kept.set(make, make(engine));
    return this.#kept.get(make) as T;
  }
}
