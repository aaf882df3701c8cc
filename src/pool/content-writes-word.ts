/** One content write that may be sent. */
export interface ContentSlot {
  /** By when it must have been sent, epoch milliseconds on GitHub's clock. */
  readonly sendBy: number;
}

/** Whether a content write may be sent. */
export type ContentWord =
  | { readonly kind: "go"; readonly slot: ContentSlot }
  /**
   * `untilAt` is in GitHub's time. `brief`: the store has been asked and answers within its timeout; nobody knows yet
   * whether there is anything to wait for.
   */
  | { readonly kind: "wait"; readonly untilAt: number; readonly brief: boolean; readonly why: string };
