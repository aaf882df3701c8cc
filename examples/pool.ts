/**
 * Three processes share one quota through a directory: who gets how much, why one has to wait, and what becomes of the
 * units of one that is killed.
 *
 * GitHub is simulated, over HTTP, with 300 units for 70 seconds instead of 5,000 for an hour. Takes about 15 seconds.
 */
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Octokit } from "@octokit/core";
import {
  closeOnSignal,
  type DecisionEvent,
  isSquadRateError,
  type LeaseEvent,
  type Priority,
  squadRate,
} from "octokit-plugin-squad-rate";
import { createSimulatedGitHub } from "octokit-plugin-squad-rate/sim";

/** What an agent is started with. */
interface Task {
  readonly agent: string;
  readonly priority: Priority;
  readonly callsPerSecond: number;
  readonly baseUrl: string;
  readonly store: string;
}

/** What an agent tells the process that started it. */
type Word = "ready" | "answered" | "not sent" | { readonly lease: LeaseEvent } | { readonly decision: DecisionEvent };

/** An agent, as it would be anywhere. That it shares is `store` and nothing else. */
async function runAgent({ agent, priority, callsPerSecond, baseUrl, store }: Task): Promise<void> {
  const tell = (word: Word): void => void process.send?.(word);
  subscribe("squad-rate:lease", (message) => tell({ lease: message as LeaseEvent }));
  subscribe("squad-rate:decision", (message) => tell({ decision: message as DecisionEvent }));
  const octokit = new (Octokit.plugin(squadRate))({
    auth: "ghp_example",
    baseUrl,
    // Without a cache every read costs a unit. The timeouts are for a window this short, and for a busy machine.
    squad: { agent, priority, store, cache: false, requestTimeoutMs: 3_000, storeTimeoutMs: 2_000 },
  });
  closeOnSignal(octokit.squad);
  process.once("disconnect", () => process.exit());
  tell("ready");
  await once(process, "message");
  for (;;) {
    try {
      await octokit.request("GET /repos/{owner}/{repo}", { owner: "mona", repo: "hello" });
      tell("answered");
    } catch (error) {
      if (isSquadRateError(error) && error.code === "SQUAD_RATE_CLOSED") return;
      tell("not sent");
    }
    await pause(1_000 / callsPerSecond);
  }
}

/** Starts three agents, kills one, and shows what the others tell. */
async function main(): Promise<void> {
  const github = createSimulatedGitHub({ limits: { core: { limit: 300, windowMs: 70_000 } } });
  github.world.addToken("ghp_example", "mona");
  github.world.addRepository({ owner: "mona", name: "hello" });
  const server = await github.listen();
  const directory = await mkdtemp(join(tmpdir(), "squad-rate-"));
  const start = (agent: string, priority: Priority, callsPerSecond: number): ChildProcess => {
    const task: Task = { agent, priority, callsPerSecond, baseUrl: server.url, store: `file:${directory}` };
    return fork(fileURLToPath(import.meta.url), [JSON.stringify(task)]);
  };
  const [mergeQueue, reviewer, indexer] = [
    start("merge-queue", 0, 3),
    start("reviewer", 1, 16),
    start("indexer", 2, 16),
  ];
  const crew = { "merge-queue": mergeQueue, reviewer, indexer };
  await Promise.all(Object.values(crew).map((child) => once(child, "message")));

  const begunAt = performance.now();
  const say = (what: string): void => {
    console.log(`${((performance.now() - begunAt) / 1_000).toFixed(1).padStart(5)} s  ${what}`);
  };
  const answered = { "merge-queue": 0, reviewer: 0, indexer: 0 };
  let returnedUnits = 0;
  let reviewerWaited = false;
  await new Promise<void>((resolve, reject) => {
    const hear = (agent: keyof typeof crew, word: Word): void => {
      if (word === "answered") answered[agent]++;
      if (typeof word === "string") return;
      if ("decision" in word) {
        say(`the ${agent} has to wait. ${word.decision.why}`);
        if (agent === "reviewer" && word.decision.why.includes("more urgent work")) reviewerWaited = true;
      } else if (word.lease.kind === "retired") {
        returnedUnits += word.lease.returnedUnits;
        say(`the ${agent} finds that the indexer is gone: ${word.lease.returnedUnits} units are back in the pool`);
      } else if (word.lease.kind === "granted" && agent === "indexer" && answered.indexer >= 30) {
        const [, , units] = word.lease.units;
        if (units < 4 || indexer.killed) return;
        indexer.kill("SIGKILL");
        say(`the indexer is granted ${units} units, and killed`);
      }
      if (returnedUnits > 0 && reviewerWaited) resolve();
    };
    for (const [agent, child] of Object.entries(crew)) {
      child.on("message", (word: Word) => hear(agent as keyof typeof crew, word));
      if (child !== indexer) child.once("exit", () => reject(new Error(`the ${agent} has ended by itself`)));
      child.send("go");
    }
  });
  for (const child of [mergeQueue, reviewer]) child.kill("SIGTERM");
  await Promise.all([once(mergeQueue, "exit"), once(reviewer, "exit")]);
  say("the other two were told to end, and gave back what they held");

  const { used, limit } = github.usage("ghp_example");
  const refused = github.log.filter(({ refusedBy }) => refusedBy !== undefined).length;
  for (const [agent, count] of Object.entries(answered)) console.log(`${agent}: ${count} calls answered`);
  console.log(`GitHub charged ${used} of ${limit} units, and refused ${refused} requests`);
  assert.equal(refused, 0);
  await server.close();
  await rm(directory, { recursive: true, force: true });
}

const [task] = process.argv.slice(2);
if (task === undefined) await main();
else await runAgent(JSON.parse(task) as Task);
