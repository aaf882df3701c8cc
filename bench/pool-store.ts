// How fast one document of the pool's is updated, by store, by the number of agents in it and of processes that write:
// `npx tsx bench/pool-store.ts`, two minutes. Without a pause, beside what Keyv's own get and set do (and lose) on the same
// store; and with the pauses of busy processes. Real time, so the machine counts. Options: --only file, --ms 2500 (of each
// measurement), --processes 8, and --agents 10 --paceMs 50 for one kind of load, both ways.
import { type ChildProcess, fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atomicUpdate, readDocument } from "../src/store/atomic-update.js";
import { openStore } from "../src/store/open-store.js";
import { serveTasks, type Task, TIMEOUT_MS, type Way } from "./pool-store-worker.js";
import { type ChangeCost, changeCost, fullDocument } from "./quota-load.js";
import { table } from "./table.js";

interface Load {
  readonly agents: number;
  readonly paceMs: number;
  readonly ways: readonly Way[];
}

const BOTH: readonly Way[] = ["atomicUpdate", "keyv.get/set"];
const PACE_MS = 50;
const LOADS: readonly Load[] = [
  { agents: 10, paceMs: 0, ways: BOTH },
  { agents: 10, paceMs: PACE_MS, ways: ["atomicUpdate"] },
  { agents: 100, paceMs: PACE_MS, ways: ["atomicUpdate"] },
  { agents: 500, paceMs: PACE_MS, ways: ["atomicUpdate"] },
];

const HEAD: readonly string[] = [
  ...["store", "agents", "KB", "change ms", "pause ms", "processes", "way"],
  ...["updates/s", "p50 ms", "p99 ms", "max ms", "lost %"],
];

/** The figures of one line: updates a second, how long they took, how many were lost. */
async function measure(task: Omit<Task, "index" | "resetAt">, workers: readonly ChildProcess[]): Promise<string[]> {
  const now = Date.now();
  const resetAt = now + 1_800_000;
  await using store = await openStore(task.uri, { timeoutMs: TIMEOUT_MS });
  await atomicUpdate(store, task.key, () => fullDocument(task.agents, resetAt, now));
  try {
    for (const [index, worker] of workers.entries()) worker.send({ ...task, resetAt, index } satisfies Task);
    await Promise.all(workers.map((worker) => answer(worker)));
    const before = await revisionOf(store, task.key);
    const answers = workers.map((worker) => answer<readonly number[]>(worker));
    for (const worker of workers) worker.send("go");
    const tookMs = (await Promise.all(answers)).flat().sort((a, b) => a - b);
    const kept = (await revisionOf(store, task.key)) - before;
    const quantile = (q: number): string => (tookMs[Math.floor(q * (tookMs.length - 1))] ?? 0).toFixed(1);
    return [
      String(Math.round((1_000 * tookMs.length) / task.ms)),
      ...[quantile(0.5), quantile(0.99), quantile(1)],
      (100 * Math.max(0, 1 - kept / tookMs.length)).toFixed(1),
    ];
  } finally {
    await store.keyv.delete(task.key);
  }
}

/** Every change adds one to the revision, and a change that was lost takes it back. */
async function revisionOf(store: Awaited<ReturnType<typeof openStore>>, key: string): Promise<number> {
  return (await readDocument(store, key))?.revision ?? 0;
}

function answer<T>(worker: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error("a worker ended early"));
    worker.once("exit", ended);
    worker.once("message", (message) => {
      worker.off("exit", ended);
      resolve(message as T);
    });
  });
}

function option(name: string): string | undefined {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? undefined : process.argv[index + 1];
}

function loadsWanted(): readonly Load[] {
  const [agents, paceMs] = [option("agents"), option("paceMs")];
  if (agents === undefined && paceMs === undefined) return LOADS;
  return [{ agents: Number(agents ?? 10), paceMs: Number(paceMs ?? PACE_MS), ways: BOTH }];
}

interface Case extends Pick<Task, "uri" | "way" | "agents" | "paceMs"> {
  readonly processes: number;
}

function* casesOf(uris: readonly string[], most: number): Generator<Case> {
  for (const { agents, paceMs, ways } of loadsWanted()) {
    for (const uri of uris) {
      for (const processes of new Set([1, most])) for (const way of ways) yield { uri, way, agents, paceMs, processes };
    }
  }
}

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "squad-rate-bench-"));
  const uris = [
    `file:${directory}`,
    process.env.SQUAD_RATE_TEST_REDIS ?? "redis://127.0.0.1:6379",
    process.env.SQUAD_RATE_TEST_POSTGRES ?? "postgres://postgres@127.0.0.1:5432/postgres",
  ].filter((uri) => uri.startsWith(option("only") ?? ""));
  const ms = Number(option("ms") ?? 2_500);
  const most = Number(option("processes") ?? 8);
  const here = fileURLToPath(import.meta.url);
  const workers = Array.from({ length: most }, () => fork(here, ["--worker"], { serialization: "advanced" }));
  const costs = new Map(loadsWanted().map(({ agents }) => [agents, changeCost(agents)]));
  const load = (): string => (loadavg()[0] ?? 0).toFixed(1);
  const loadBefore = load();
  const rows: Array<readonly string[]> = [HEAD];
  for (const { processes, ...each } of casesOf(uris, most)) {
    const store = each.uri.replace(/:.*/, "");
    const { bytes, changeMs } = costs.get(each.agents) as ChangeCost;
    const document = [String(each.agents), (bytes / 1_000).toFixed(1), changeMs.toFixed(2)];
    const key = `squad-rate:bench:${process.pid}-${rows.length}`;
    try {
      const figures = await measure({ ...each, key, ms }, workers.slice(0, processes));
      rows.push([store, ...document, String(each.paceMs), String(processes), each.way, ...figures]);
    } catch (error) {
      console.error(`${store}: ${(error as Error).message}`);
    }
  }
  for (const worker of workers) worker.disconnect();
  for (const line of table(rows)) console.log(line);
  console.log(`\nLoad average ${loadBefore} before and ${load()} after, on ${availableParallelism()} cores.`);
  await rm(directory, { recursive: true, force: true });
}

await (process.argv.includes("--worker") ? serveTasks() : main());
