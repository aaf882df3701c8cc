/**
 * What the rooms above the pipeline keep for as long as a squad lives, which is longer than an Octokit does: an app makes
 * one for each event. The squad knows nothing of them.
 */
export class Kept<Squad> {
  readonly #kept = new Map<(squad: Squad) => unknown, unknown>();

  /** What `make` makes of this squad: made when it is first asked for, and the same from then on. */
  of<T>(squad: Squad, make: (squad: Squad) => T): T {
    if (!this.#kept.has(make)) this.#kept.set(make, make(squad));
    return this.#kept.get(make) as T;
  }
}
