/** What a change makes of a document: the next one, or `undefined` to leave it as it is; and something to hand on. */
export interface Changed<Result> {
  readonly doc: object | undefined;
  readonly result: Result;
}

/** How an update ended. After `failed` the change may have been made all the same. */
export type UpdateOutcome<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly error: unknown };

/**
 * The documents that the processes of a pool share, by key. Every update is one atomic step, and is answered within the
 * store's timeout, one way or the other; never synchronously.
 *
 * By callback rather than by promise, so that whole fleets run on virtual time without a turn of the real event loop.
 */
export interface PoolDocuments {
  /**
   * `change` gets the stored document, `undefined` when there is none. It may be run again on a newer document; what its
   * last run made is what counts. What it throws fails the update and changes nothing.
   */
  update<Result>(
    key: string,
    change: (doc: unknown) => Changed<Result>,
    done: (outcome: UpdateOutcome<Result>) => void,
  ): void;
}
