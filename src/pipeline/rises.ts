import type { CountRise } from "../policy/graphql-charge.js";
import { type RateClaim, type RateWindow, RESET_TOLERANCE_MS } from "../policy/window.js";

/** Watches over one exchange whose doing it may be when GitHub's count of a window rises. */
export interface Rise {
  /** By how much it rose until an answer that showed `seen`; undefined when that cannot be told. */
  until(seen: RateClaim): CountRise | undefined;
  end(): void;
}

/** The exchanges of one window, as far as they may be what its count rises by. */
export class Rises {
  #underWay = 0;
  #begun = 0;
  /** How many had begun when one ended without showing a count; 0 when a later one has shown what includes it. */
  #untold = 0;

  /** `before`: what is known when the exchange begins. `isShared`: others spend of the same quota. */
  begin(before: RateWindow | undefined, isShared: boolean): Rise {
    const isFirst = this.#underWay === 0 && this.#untold === 0;
    let isTold = false;
    this.#underWay++;
    const begun = ++this.#begun;
    return {
      until: ({ used, resetAt }) => {
        isTold = true;
        if (begun > this.#untold) this.#untold = 0;
        if (before === undefined) return { units: used, isOwn: false };
        const isSame = before.provisional || Math.abs(before.resetAt - resetAt) <= RESET_TOLERANCE_MS;
        if (!isSame) return resetAt > before.resetAt ? { units: used, isOwn: false } : undefined;
        // An older answer that comes late shows less.
        if (used < before.used) return undefined;
        return { units: used - before.used, isOwn: isFirst && begun === this.#begun && !isShared };
      },
      end: () => {
        this.#underWay--;
        if (!isTold) this.#untold = this.#begun;
      },
    };
  }
}
