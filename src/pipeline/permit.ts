import type { Priority } from "../policy/light.js";
import type { SpendTicket } from "../policy/spender.js";
import type { PoolSpender } from "../pool/pool-spender.js";
import type { ExchangeEnd } from "../pool/spend-word.js";
import type { TrackedWindow } from "./principal.js";

/** Units that the pool let this call spend. */
export interface PooledUnits {
  readonly spender: PoolSpender;
  readonly priority: Priority;
  readonly ticket: SpendTicket;
}

const UNSENT: ExchangeEnd = { answered: false, charged: 0, header: undefined };

/** One call's hold on units of a window, from its admission until its exchange is answered. */
export class Permit {
  /** Undefined: a permit for a call that needs none. */
  readonly window: TrackedWindow | undefined;
  readonly units: number;
  /** Undefined where nobody shares the quota. */
  readonly pooled: PooledUnits | undefined;
  #held = true;

  constructor(window: TrackedWindow | undefined, units: number, pooled: PooledUnits | undefined) {
    this.window = window;
    this.units = units;
    this.pooled = pooled;
    if (window !== undefined) window.reservedUnits += units;
  }

  /** Nothing was sent with it, or nothing that counts here: the units go to whoever asks next. */
  release(): void {
    this.settle(UNSENT);
  }

  /** An exchange has ended with it; what was really spent is in GitHub's own headers by then. */
  settle(end: ExchangeEnd): void {
    if (!this.#held) return;
    this.#held = false;
    if (this.window !== undefined) this.window.reservedUnits -= this.units;
    this.pooled?.spender.settle(this.pooled.ticket, this.pooled.priority, end);
  }
}
