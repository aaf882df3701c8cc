import { atomicUpdate } from "../src/store/atomic-update.js";
import { openStore } from "../src/store/open-store.js";
import type { Store } from "../src/store/store.js";
import { createAgent } from "./quota-load.js";

/** How a document is changed: by this package, or by what a Keyv has of its own. */
export type Way = "atomicUpdate" | "keyv.get/set";

/** What one process is to do. */
export interface Task {
  readonly uri: string;
  readonly key: string;
  readonly way: Way;
  readonly ms: number;
  readonly agents: number;
  /** When the window in the document ends, epoch milliseconds. */
  readonly resetAt: number;
  /** The mean pause between two updates; 0: none. */
  readonly paceMs: number;
  /** Which of the agents this process is. */
  readonly index: number;
}

/** Longer than any update takes: how long they take is the question. */
export const TIMEOUT_MS = 30_000;

/** Serves the process that has forked this one: a task, `ready` when it is warm, `go`, and how long each update took. */
export async function serveTasks(): Promise<void> {
  process.once("disconnect", () => process.exit(0));
  for (;;) {
    const task = (await nextMessage()) as Task;
    const store = await openStore(task.uri, { timeoutMs: TIMEOUT_MS });
    const update = updater(store, task);
    const warmUntil = performance.now() + Math.min(300, task.ms / 4);
    while (performance.now() < warmUntil) await update();
    process.send?.("ready");
    await nextMessage();
    process.send?.(await updates(update, task));
    await store.close();
  }
}

async function updates(update: () => Promise<unknown>, { ms, paceMs }: Task): Promise<readonly number[]> {
  const tookMs: number[] = [];
  const begin = performance.now();
  while (performance.now() - begin < ms) {
    if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs * (0.5 + Math.random())));
    const start = performance.now();
    await update();
    tookMs.push(performance.now() - start);
  }
  return tookMs;
}

function updater(store: Store, { key, way, agents, index, resetAt }: Task): () => Promise<unknown> {
  const agent = createAgent(index, agents, resetAt);
  if (way === "atomicUpdate") {
    return () => atomicUpdate(store, key, (current) => agent.change(current, Date.now()));
  }
  return async () => store.keyv.set(key, agent.change(await store.keyv.get(key), Date.now()));
}

function nextMessage(): Promise<unknown> {
  return new Promise((resolve) => process.once("message", resolve));
}
