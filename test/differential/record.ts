import type { RequestCacheOptions } from "../../src/options.js";
import type { View } from "./observed-github.js";

/** The moment at which what is still under way ends. */
export const PENDING: number = Number.POSITIVE_INFINITY;

/** One physical request, as it went over the wire. Moments are totally ordered; `…Ms` is the clock. */
export interface Exchange {
  readonly squad: string;
  /** The call that sent it. */
  readonly call: Call;
  readonly view: View;
  readonly startedAt: number;
  readonly startedMs: number;
  /** When each of its timers fired at GitHub: one of these moments is the one at which it took effect. */
  readonly fires: number[];
  /** When its head arrived, or it failed. */
  endedAt: number;
  /** When the rest had arrived. */
  bodyEndedAt: number;
  status: number | undefined;
  failure: unknown;
  requestId: string | undefined;
  /** A limit refused it. */
  refused: boolean;
}

/** One call by a caller, and how it ended. */
export interface Call {
  readonly kind: "read" | "write";
  readonly squad: string;
  readonly view: View;
  readonly cache: RequestCacheOptions | undefined;
  readonly startedAt: number;
  readonly startedMs: number;
  readonly exchanges: Exchange[];
  abortReason: Error | undefined;
  endedAt: number;
  ending: Ending | undefined;
}

export type Ending =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly data: unknown;
      readonly headers: ReadonlyMap<string, string>;
    }
  | { readonly kind: "failed"; readonly error: unknown };
