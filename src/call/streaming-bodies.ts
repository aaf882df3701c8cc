import { onAbort } from "./on-abort.js";

/** Lets a caller's abort reach an answer that goes through as it streams, for as long as somebody can still read it. */
export class StreamingBodies {
  /** Keeps the controller of a body for as long as the body lives. */
  readonly #controllers = new WeakMap<object, AbortController>();
  /** Takes the listener off the caller's signal when nobody can read any more. */
  readonly #unread = new FinalizationRegistry<() => void>((forget) => forget());

  /**
   * From now on an abort of `signal` is one of `controller`, which the answer was fetched with. The caller's signal may
   * live for ever, so it must not hold what it would abort.
   */
  tie(response: Response, signal: AbortSignal, controller: AbortController): void {
    const { body } = response;
    if (typeof body !== "object" || body === null) return;
    if (signal.aborted) {
      controller.abort(signal.reason);
      return;
    }
    this.#controllers.set(body, controller);
    const weakly = new WeakRef(controller);
    const forget = onAbort(signal, () => weakly.deref()?.abort(signal.reason));
    this.#unread.register(body, forget);
  }
}
