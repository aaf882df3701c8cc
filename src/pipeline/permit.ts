import type { TrackedWindow } from "./principal.js";

/** One call's hold on units of a window, from its admission until its exchange is answered. */
export class Permit {
  /** Undefined: a permit for a window that is not known yet, or for a call that needs none. */
  readonly window: TrackedWindow | undefined;
  readonly units: number;
  #held = true;

  constructor(window: TrackedWindow | undefined, units: number) {
    this.window = window;
    this.units = units;
    if (window !== undefined) window.reservedUnits += units;
  }

  /** Gives the units back to whoever asks next; what was really spent is in GitHub's own headers by then. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    if (this.window !== undefined) this.window.reservedUnits -= this.units;
  }
}
