import { setMaxListeners } from "node:events";

/**
 * Calls `listener` once when `signal` aborts; returns what takes it off again.
 *
 * A caller may give one signal to hundreds of calls, and Node warns of a leak at the eleventh listener; `fetch` lifts that
 * bound on the signals it is given, and so does this.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  setMaxListeners(0, signal);
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}
