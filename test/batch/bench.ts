import { Octokit } from "@octokit/core";
import { type Batch, batchFor } from "../../src/batch/batch.js";
import type { BatchResult } from "../../src/batch/batch-result.js";
import { GraphqlDocuments } from "../../src/graphql/documents.js";
import { loadParser } from "../../src/graphql/load-parser.js";
import { type SquadOptions, squadRate } from "../../src/index.js";
import type { Engine } from "../../src/pipeline/engine.js";
import {
  createSimulatedGitHub,
  createVirtualClock,
  populateWorld,
  type SimulatedGitHub,
  type VirtualClock,
} from "../../src/sim/index.js";
import { createSquad, engineOf, type Squad } from "../../src/squad.js";

/** A squad of mona's before a simulated GitHub with `acme/app-1` in it: pull requests 1 to 60, then issues up to 90. */
export interface Bench {
  readonly clock: VirtualClock;
  readonly github: SimulatedGitHub;
  readonly squad: Squad;
  readonly octokit: Octokit;
  readonly batch: Batch;
  /** The documents that reached GitHub. */
  readonly documents: readonly string[];
  /** How many items each of them asked for. */
  asked(): readonly number[];
  /** Goes through to the end on virtual time. */
  all<I, V>(results: AsyncIterable<BatchResult<I, V>>): Promise<readonly BatchResult<I, V>[]>;
}

export async function setUpBench(options: SquadOptions = {}): Promise<Bench> {
  // Files are read in real time.
  await Promise.all([loadParser(), new GraphqlDocuments().load()]);
  const clock = createVirtualClock();
  const github = createSimulatedGitHub({ clock });
  github.world.addToken("ghp_mona", "mona");
  populateWorld(github.world, { pullRequests: 60, issues: 0 });
  for (let number = 61; number <= 90; number++)
    github.world.addIssue({ owner: "acme", repo: "app-1", title: `Issue ${number}` });
  const documents: string[] = [];
  const fetch = (async (input: string, init: RequestInit) => {
    if (String(input).endsWith("/graphql")) documents.push(JSON.parse(String(init.body)).query);
    return github.fetch(input, init);
  }) as typeof globalThis.fetch;
  const squad = createSquad({ agent: "ralph", clock, pool: false, random: () => 0, ...options });
  const octokit = new (Octokit.plugin(squadRate))({ auth: "ghp_mona", squad, request: { fetch } });
  return {
    clock,
    github,
    squad,
    octokit,
    batch: batchFor(engineOf(squad) as Engine, octokit.graphql),
    documents,
    asked: () => documents.map((document) => document.match(/^i\d+: /gm)?.length ?? 0),
    all: (results) => clock.settle(collect(results)),
  };
}

/** A selection of pull request `number`. */
export function pullRequest(number: number, fields = "number title"): string {
  return `repository(owner: "acme", name: "app-1") { pullRequest(number: ${number}) { ${fields} } }`;
}

/** The numbers from `first` to `last`. */
export function numbers(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

async function collect<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}
