/** On the listener of ours, whichever copy of this package put it there: what it is to do. */
const WORKS: unique symbol = Symbol.for("octokit-plugin-squad-rate.at-exit") as never;

type OurListener = (() => void) & { readonly [WORKS]: Set<() => void> };

/**
 * Has `work` called when the process ends by itself or by `process.exit()`; it must be done when it returns. Returns what
 * takes it back. However many squads a process has, there is one listener, and only while there is something to do.
 */
export function atExit(work: () => void): () => void {
  const { process } = globalThis;
  if (typeof process?.on !== "function") return () => undefined;
  const listener = ours(process) ?? listen(process);
  listener[WORKS].add(work);
  return () => {
    listener[WORKS].delete(work);
    if (listener[WORKS].size === 0) process.off("exit", listener);
  };
}

function ours(process: NodeJS.Process): OurListener | undefined {
  return process.listeners("exit").find((listener): listener is OurListener => WORKS in listener);
}

function listen(process: NodeJS.Process): OurListener {
  const works = new Set<() => void>();
  const listener: OurListener = Object.assign(
    () => {
      // Work that could not be done puts itself back.
      for (const work of [...works]) work();
    },
    { [WORKS]: works },
  );
  process.on("exit", listener);
  return listener;
}
