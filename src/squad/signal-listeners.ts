/** On listeners of ours, whichever copy of this package put them there: whether it is closing just now. */
const IS_CLOSING: unique symbol = Symbol.for("octokit-plugin-squad-rate.is-closing") as never;

/** Makes a listener known to {@link isLeftToUs} and {@link areOursClosing}. */
export function markAsOurs(listener: () => void, isClosing: () => boolean): () => void {
  return Object.assign(listener, { [IS_CLOSING]: isClosing });
}

/** Whether nobody but listeners of ours will decide what becomes of a process that has been sent `signal`. */
export function isLeftToUs(process: NodeJS.Process, signal: NodeJS.Signals): boolean {
  const others = process.listeners(signal).filter((listener) => closingOf(listener) === undefined);
  return others.length <= yieldingListeners(process);
}

/** Whether a listener of ours for `signal` is closing something. */
export function areOursClosing(process: NodeJS.Process, signal: NodeJS.Signals): boolean {
  return process.listeners(signal).some((listener) => closingOf(listener)?.() === true);
}

function closingOf(listener: object): (() => boolean) | undefined {
  return (listener as { [IS_CLOSING]?: () => boolean })[IS_CLOSING];
}

interface ListenerCount {
  readonly count?: unknown;
}

/**
 * How many listeners belong to the package `signal-exit`, which much of what runs on Node brings along. They end the
 * process only when they are the only ones, so each side would leave it to the other. Both its lines count theirs.
 * https://github.com/tapjs/signal-exit/blob/v4.1.0/src/index.ts
 */
function yieldingListeners(process: NodeJS.Process): number {
  const { __signal_exit_emitter__: third } = process as { readonly __signal_exit_emitter__?: ListenerCount };
  const fourth = (globalThis as { [key: symbol]: ListenerCount | undefined })[Symbol.for("signal-exit emitter")];
  return countOf(third) + countOf(fourth);
}

function countOf(emitter: ListenerCount | undefined): number {
  return typeof emitter?.count === "number" ? emitter.count : 0;
}
