import { subscribe } from "node:diagnostics_channel";
import { createInterface } from "node:readline";
import { Octokit } from "@octokit/core";
import {
  type Clock,
  createSquad,
  type ExchangeEvent,
  isSquadRateError,
  squadRate,
  systemClock,
} from "../../../src/index.js";
import { createRandom } from "../../../src/sim/github/random.js";
import type { CallOutcome, WorkerLine, WorkerTask } from "../storm/worker-line.js";

// One agent in a process of its own, as people would write it: an Octokit whose squad shares a store with the others. It
// calls at random from "go" to "stop", and tells of each call, each request and what the squad publishes.

/** A process that misses its own beat by this much was stopped. */
const STOPPED_MS = 3_000;
const BEAT_MS = 100;

const task = JSON.parse(process.argv[2] as string) as WorkerTask;
const random = createRandom(task.seed);
let stopped = false;
let calls = 0;
const underWay = new Set<Promise<void>>();

function say(line: WorkerLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function uncaught(what: unknown): void {
  say({ kind: "uncaught", at: Date.now(), what: what instanceof Error ? String(what.stack) : String(what) });
  process.exitCode = 1;
}
process.on("unhandledRejection", uncaught);
process.on("uncaughtException", uncaught);

subscribe("squad-rate:exchange", (message) => {
  const { durationMs, status } = message as ExchangeEvent;
  say({ kind: "exchange", sentAt: Date.now() - durationMs, at: Date.now(), status });
});
for (const name of ["lease", "store", "fault", "cooldown", "pressure"]) {
  subscribe(`squad-rate:${name}`, (payload) => say({ kind: "event", at: Date.now(), name, payload }));
}

const skewedClock: Clock = { ...systemClock, now: () => systemClock.now() + task.clockSkewMs };
const squad = createSquad({
  agent: task.agent,
  priority: task.priority,
  store: task.storeUrl,
  storeTimeoutMs: task.storeTimeoutMs,
  pool: { name: task.poolName },
  // Every call has to cost a unit, and windows of two minutes take more calls a minute than secondary limits allow.
  cache: false,
  secondary: false,
  maxWaitMs: task.maxWaitMs,
  requestTimeoutMs: task.requestTimeoutMs,
  clock: skewedClock,
});
const octokit = new (Octokit.plugin(squadRate))({
  auth: task.token,
  baseUrl: task.githubUrl,
  squad,
  log: { debug() {}, info() {}, warn: (what: string) => warn(what), error: (what: string) => warn(what) },
});

function warn(what: string): void {
  say({ kind: "event", at: Date.now(), name: "warning", payload: what });
}

async function call(): Promise<void> {
  const startedAt = Date.now();
  let outcome: CallOutcome = "answered";
  let why: string | undefined;
  try {
    await octokit.request("GET /repos/{owner}/{repo}", {
      owner: "mona",
      repo: "hello",
      // Tells the simulated GitHub's log whose call it is.
      agent: task.agent,
      call: ++calls,
    });
  } catch (error) {
    outcome = outcomeOf(error);
    why = error instanceof Error ? error.message : String(error);
  }
  say({ kind: "call", startedAt, endedAt: Date.now(), outcome, why });
}

function outcomeOf(error: unknown): CallOutcome {
  if (isSquadRateError(error)) return error.code === "SQUAD_RATE_CLOSED" ? "closed" : "gave-up";
  const { status } = error as { readonly status?: number };
  return status === 403 || status === 429 ? "refused" : "failed";
}

function arriveNext(dueAt: number): void {
  const gapMs = (-Math.log(1 - random()) * 1_000) / task.callsPerSecond;
  const nextAt = dueAt + gapMs;
  setTimeout(() => {
    if (stopped) return;
    // What would have arrived while the process was stopped has not.
    const now = Date.now();
    arriveNext(now - nextAt > STOPPED_MS ? now : nextAt);
    const one = call();
    underWay.add(one);
    void one.then(() => underWay.delete(one));
  }, nextAt - Date.now());
}

let beatAt = Date.now();
setInterval(() => {
  const now = Date.now();
  if (now - beatAt > STOPPED_MS) say({ kind: "woke", at: now, sleptMs: now - beatAt });
  beatAt = now;
}, BEAT_MS).unref();

// Loaded now rather than at the first call: eight processes that compile at once stand still for seconds.
await Promise.all([import("../../../src/store/redis.js"), import("../../../src/store/postgres.js")]);
await Promise.all([import("@keyv/redis"), import("@keyv/postgres")]);
say({ kind: "ready" });
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "go") arriveNext(Date.now());
  else break;
}
stopped = true;
process.stdin.destroy();
const status: unknown = squad.status();
await squad.close();
await Promise.all(underWay);
say({ kind: "end", status });
// Not exited: nothing of the squad may keep the process alive.
