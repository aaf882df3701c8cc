import type { SeenQuota } from "../policy/share.js";
import type { SpendTicket } from "../policy/spender.js";

/** Whether a call may be sent. */
export type SpendWord =
  | { readonly kind: "go"; readonly ticket: SpendTicket }
  /**
   * `untilAt` is in GitHub's time. `brief`: a report is on its way and is answered within the store's timeout; nobody
   * knows yet whether there is anything to wait for.
   */
  | { readonly kind: "wait"; readonly untilAt: number; readonly brief: boolean; readonly why: () => string };

/** How an exchange ended, as far as quota is concerned. */
export interface ExchangeEnd {
  /** Whether GitHub's API itself has answered, so that an answer without a header says that there is no quota. */
  readonly answered: boolean;
  /** `undefined`: it failed without an answer, and nobody knows whether it was charged. */
  readonly charged: number | undefined;
  readonly header: SeenQuota | undefined;
}
