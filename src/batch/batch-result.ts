import type { GraphqlItemErrorEntry } from "./item-error.js";

/** What became of one item. Exactly one comes for each, in the order of the items. */
export type BatchResult<I, V> = BatchValue<I, V> | BatchFailure<I>;

/** GitHub has a value for it. */
export interface BatchValue<I, V> {
  readonly item: I;
  /** What its field has in the answer. */
  readonly value: V;
  /** What GitHub could not say within the value; left out where there is nothing. */
  readonly errors?: readonly GraphqlItemErrorEntry[];
  readonly error?: undefined;
}

/** There is no value for it. */
export interface BatchFailure<I> {
  readonly item: I;
  /**
   * A `GraphqlItemError` with what GitHub says of this item; otherwise what became of its whole query: a `SquadRateError` that
   * was not sent, Octokit's error for one that failed. What `toSelection` threw or returned in vain is here as well.
   */
  readonly error: Error;
  readonly value?: undefined;
}
