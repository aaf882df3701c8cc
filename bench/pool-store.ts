import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atomicUpdate, readDocument } from "../src/store/atomic-update.js";
import { openStore } from "../src/store/open-store.js";
import type { Store } from "../src/store/store.js";

// Updates per second and p99 of one shared document, with 1 and 8 processes, beside what Keyv's own get and set do (and
// lose) on the same store. Options: --only file, --ms 3000 (of each measurement), --processes 8, --agents 8 (in the document),
// --paceMs 0 (a pause between two updates of a process: 50 is what a pool of busy agents does).

type Way = "atomicUpdate" | "keyv.get/set";

interface Task {
  readonly uri: string;
  readonly key: string;
  readonly way: Way;
  readonly ms: number;
  readonly agents: number;
  readonly paceMs: number;
}

interface Outcome {
  readonly updates: number;
  readonly latenciesMs: readonly number[];
}

const TIMEOUT_MS = 30_000;

/** A document of about 100 bytes per agent, as a pool's is. */
function change(current: Record<string, unknown> | undefined, agents: number): Record<string, unknown> {
  const allocations =
    current?.allocations ??
    Object.fromEntries(
      Array.from({ length: agents }, (_, index) => [
        `agent-${index}`,
        { priority: index % 3, allocated: 500, used: 0, leaseExpiry: 1_893_456_000_000, want: 0.25, backlog: 0 },
      ]),
    );
  return { totalLimit: 5_000, resetAt: 1_893_456_000_000, allocations, total: Number(current?.total ?? 0) + 1 };
}

async function work({ uri, key, way, ms, agents, paceMs }: Task): Promise<Outcome> {
  const store = await openStore(uri, { timeoutMs: TIMEOUT_MS });
  const update = updater(store, key, way, agents);
  const latenciesMs: number[] = [];
  let begin = performance.now();
  const warmUntil = begin + Math.min(300, ms / 4);
  while (performance.now() < warmUntil) await update();
  const warm = await countOf(store, key);
  process.send?.({ ready: warm });
  await new Promise((resolve) => process.once("message", resolve));
  begin = performance.now();
  while (performance.now() - begin < ms) {
    const start = performance.now();
    await update();
    latenciesMs.push(performance.now() - start);
    if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs * (0.5 + Math.random())));
  }
  await store.close();
  return { updates: latenciesMs.length, latenciesMs };
}

function updater(store: Store, key: string, way: Way, agents: number): () => Promise<unknown> {
  if (way === "atomicUpdate") return () => atomicUpdate(store, key, (current) => change(current, agents));
  return async () => {
    const current = (await store.keyv.get(key)) as Record<string, unknown> | undefined;
    await store.keyv.set(key, { ...change(current, agents), revision: 1 });
  };
}

async function countOf(store: Store, key: string): Promise<number> {
  return Number((await readDocument(store, key))?.total ?? 0);
}

async function measure(task: Task, processes: number): Promise<Record<string, string | number>> {
  const here = fileURLToPath(import.meta.url);
  const workers = Array.from({ length: processes }, () =>
    fork(here, ["--worker", JSON.stringify(task)], { serialization: "advanced" }),
  );
  const next = <T>(worker: (typeof workers)[number]): Promise<T> =>
    new Promise((resolve, reject) => {
      worker.once("message", (message) => resolve(message as T));
      worker.once("exit", () => reject(new Error("a worker ended early")));
    });
  await Promise.all(workers.map((worker) => next(worker)));
  const store = await openStore(task.uri, { timeoutMs: TIMEOUT_MS });
  const before = await countOf(store, task.key);
  const outcomes = workers.map((worker) => next<Outcome>(worker));
  for (const worker of workers) worker.send("go");
  const done = await Promise.all(outcomes);
  const kept = (await countOf(store, task.key)) - before;
  await store.keyv.delete(task.key);
  await store.close();

  const updates = done.reduce((sum, each) => sum + each.updates, 0);
  const latencies = done.flatMap((each) => each.latenciesMs).sort((a, b) => a - b);
  const quantile = (q: number): string => (latencies[Math.floor(q * (latencies.length - 1))] ?? 0).toFixed(2);
  return {
    store: task.uri.replace(/:.*/, ""),
    processes,
    way: task.way,
    "updates/s": Math.round(updates / (task.ms / 1_000)),
    "p50 ms": quantile(0.5),
    "p99 ms": quantile(0.99),
    "lost %": (100 * Math.max(0, 1 - kept / updates)).toFixed(1),
  };
}

function option(name: string, standard: number): number {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? standard : Number(process.argv[index + 1]);
}

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "squad-rate-bench-"));
  const uris = [
    `file:${directory}`,
    process.env.SQUAD_RATE_TEST_REDIS ?? "redis://127.0.0.1:6379",
    process.env.SQUAD_RATE_TEST_POSTGRES ?? "postgres://postgres@127.0.0.1:5432/postgres",
  ];
  const common = { ms: option("ms", 3_000), agents: option("agents", 8), paceMs: option("paceMs", 0) };
  const rows: Array<Record<string, string | number>> = [];
  const only = process.argv.indexOf("--only");
  for (const uri of only < 0 ? uris : uris.filter((each) => each.startsWith(`${process.argv[only + 1]}:`))) {
    for (const processes of [1, option("processes", 8)]) {
      for (const way of ["atomicUpdate", "keyv.get/set"] as const) {
        const key = `squad-rate:bench:${process.pid}-${rows.length}`;
        try {
          rows.push(await measure({ ...common, uri, key, way }, processes));
        } catch (error) {
          console.error(`${uri.replace(/:.*/, "")}: ${(error as Error).message}`);
        }
      }
    }
  }
  console.table(rows);
  await rm(directory, { recursive: true, force: true });
}

const workerIndex = process.argv.indexOf("--worker");
if (workerIndex < 0) await main();
else {
  const outcome = await work(JSON.parse(process.argv[workerIndex + 1] as string) as Task);
  process.send?.(outcome, () => process.exit(0));
}
