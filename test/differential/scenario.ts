import type { RequestCacheOptions } from "../../src/options.js";
import type { StoreMood } from "./unreliable-store.js";

/** One step of a scenario: plain data, so that a failing scenario prints and shrinks well. Indexes are into the lists. */
export type Step = StepKind & {
  /** How long until the next step, in milliseconds. Exchanges take about 200, so steps overlap. */
  readonly thenMs: number;
};

type StepKind =
  | {
      readonly kind: "read";
      readonly client: number;
      readonly read: number;
      readonly cache: RequestCacheOptions | undefined;
      /** So many callers make the same call at once. */
      readonly copies: number;
      /** Which of them aborts, and when; none if there is no such one. */
      readonly abort: { readonly copy: number; readonly afterMs: number } | undefined;
    }
  | {
      readonly kind: "write";
      readonly client: number;
      readonly write: number;
      readonly abortAfterMs: number | undefined;
    }
  | { readonly kind: "change"; readonly change: number }
  | { readonly kind: "rotate"; readonly client: number; readonly revoke: boolean }
  | { readonly kind: "fault"; readonly fault: number; readonly every: number }
  | { readonly kind: "store"; readonly mood: StoreMood }
  /** The entries are counted from the one that was written last. */
  | { readonly kind: "tamper"; readonly entry: number; readonly forgery: string }
  | { readonly kind: "clear"; readonly client: number };

/** What holds for a whole scenario. */
export interface Settings {
  readonly seed: number;
  /** Bodies are one to four thousand bytes: with the smallest, one or two entries fit. */
  readonly maxBytes: number;
  readonly freshForMs: number;
  readonly maxStaleMs: number;
  readonly sigma: number;
  /** How soon within its time an exchange takes effect. */
  readonly effectShare: number;
  /** How long after its head an answer's body is complete. */
  readonly bodyMs: number;
  readonly opaque: boolean;
  readonly limit: number;
  readonly light: boolean;
}

export interface Scenario {
  readonly settings: Settings;
  readonly steps: readonly Step[];
}
