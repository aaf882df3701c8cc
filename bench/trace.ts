import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Octokit } from "@octokit/core";
import { createSquad, type SquadOptions, squadRate } from "octokit-plugin-squad-rate";
import type { Benchmark } from "./benchmark.js";
import { listBody, TINY_BODY } from "./bodies.js";
import { type Contestant, type Measured, type Rounds, runRounds, spreadOf } from "./rounds.js";
import { createStubGithub, STUB_TOKEN } from "./stub-github.js";
import { table } from "./table.js";

/** What a trace may add to a read, in microseconds. */
const MOST_ADDED = 10;

/** What each of a read's records is made for. */
const RECORDS_OF_A_READ = 2;

/** Reads of one kind; `of` says which address the n-th asks for. */
interface Kind {
  readonly name: string;
  readonly body: string;
  readonly address: (index: number) => string;
  readonly calls: number;
}

const KINDS: readonly Kind[] = [
  { name: "revalidated, tiny body", body: TINY_BODY, address: () => "branch-0", calls: 50 },
  { name: "miss, tiny body", body: TINY_BODY, address: (index) => `branch-${index}`, calls: 50 },
  { name: "revalidated, 10 kB", body: listBody(10_000), address: () => "branch-0", calls: 20 },
];

/** What a trace costs. */
export const trace: Benchmark = {
  name: "trace",
  question: "What does a trace add to a read, when GitHub answers at once?",
  async run(effort) {
    const rounds: Rounds = effort.short ? { warmUp: 3, measured: 9, turns: 6 } : { warmUp: 6, measured: 25, turns: 12 };
    const directory = await mkdtemp(join(tmpdir(), "squad-rate-bench-trace-"));
    const lines = [
      `Microseconds per read: the median of ${rounds.measured} rounds in which all take turns, by the clock on the wall and (CPU) in the`,
      "process's own time, threads included; `at best` is the fastest twentieth of the turns. `added` is to the same squad without",
      `a trace. Each read makes ${RECORDS_OF_A_READ} records.`,
    ];
    const data: object[] = [];
    try {
      for (const kind of KINDS) {
        const clients = clientsIn(directory, kind.name.replace(/\W+/g, "-"));
        const found = await compare(kind, clients, rounds);
        lines.push("", kind.name, "", ...table([HEAD, ...found.map(rowOf)]));
        data.push({ kind: kind.name, rounds, found });
      }
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
    return { lines, data };
  },
};

const HEAD = ["client", "µs", "CPU", "added", "CPU at best", "of plain", "added", "target"];

interface Found {
  readonly name: string;
  /** Medians of the rounds, by the clock on the wall and in time of the process's own. */
  readonly micros: number;
  readonly cpuMicros: number;
  readonly cpuAdded: number | undefined;
  /** The fastest twentieth of the turns. */
  readonly cpuAtBest: number;
  readonly ofPlain: number;
  readonly cpuAddedAtBest: number | undefined;
  readonly target: number | undefined;
}

function rowOf(found: Found): readonly string[] {
  const { name, micros, cpuMicros, cpuAdded, cpuAtBest, ofPlain, cpuAddedAtBest, target } = found;
  const signed = (value: number | undefined): string =>
    value === undefined ? "" : `${value < 0 ? "" : "+"}${value.toFixed(1)}`;
  const isKept = target !== undefined && (cpuAddedAtBest ?? Number.NaN) <= target;
  return [
    name,
    micros.toFixed(1),
    cpuMicros.toFixed(1),
    signed(cpuAdded),
    cpuAtBest.toFixed(1),
    ofPlain.toFixed(2),
    signed(cpuAddedAtBest),
    target === undefined ? "" : `<= ${target} ${isKept ? "  ok" : "OVER"}`,
  ];
}

interface Client {
  readonly name: string;
  /** Undefined: plain Octokit. */
  readonly squad: SquadOptions | undefined;
  readonly target?: number;
  /** How many records it has made. */
  readonly made?: () => Promise<number>;
}

const PLAIN = "plain Octokit";
const UNTRACED = "no trace";

function clientsIn(directory: string, name: string): readonly Client[] {
  let taken = 0;
  const file = join(directory, `${name}.jsonl`);
  return [
    { name: PLAIN, squad: undefined },
    { name: UNTRACED, squad: { trace: false } },
    {
      name: "to a function",
      squad: { trace: () => void taken++ },
      target: MOST_ADDED,
      made: async () => taken,
    },
    {
      name: "to a file",
      squad: { trace: { file, maxBytes: 2 ** 32 } },
      target: MOST_ADDED,
      made: async () => (await readFile(file, "utf8")).split("\n").length - 1,
    },
  ];
}

/** A contestant that also counts the CPU time of its turns. */
interface Timed extends Contestant {
  readonly cpu: number[];
  /** Ends the squad, and checks that every read was told of. */
  end(): Promise<void>;
}

async function compare(kind: Kind, clients: readonly Client[], rounds: Rounds): Promise<readonly Found[]> {
  const contestants = await Promise.all(clients.map((client) => contestantOf(client, kind)));
  const measured = await runRounds(contestants, rounds);
  for (const contestant of contestants) await contestant.end();
  const turnsOf = (name: string): readonly number[] =>
    (contestants.find((one) => one.name === name)?.cpu ?? []).slice(-rounds.measured * rounds.turns);
  const cpuOf = (name: string): readonly number[] =>
    Array.from({ length: rounds.measured }, (_, round) =>
      mean(turnsOf(name).slice(round * rounds.turns, (round + 1) * rounds.turns)),
    );
  const cpuAtBest = (name: string): number => {
    const sorted = [...turnsOf(name)].sort((a, b) => a - b);
    return mean(sorted.slice(0, Math.ceil(sorted.length / 20)));
  };
  return clients.map(({ name, target }) => {
    const isTraced = target !== undefined;
    const untraced = cpuOf(UNTRACED);
    const added = cpuOf(name).map((value, round) => value - (untraced[round] ?? Number.NaN));
    return {
      name,
      micros: spreadOf((measured.get(name) as Measured).means).median,
      cpuMicros: spreadOf(cpuOf(name)).median,
      cpuAdded: isTraced ? spreadOf(added).median : undefined,
      cpuAtBest: cpuAtBest(name),
      ofPlain: cpuAtBest(name) / cpuAtBest(PLAIN),
      cpuAddedAtBest: isTraced ? cpuAtBest(name) - cpuAtBest(UNTRACED) : undefined,
      target,
    };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A benchmark sends more than GitHub allows. */
const MOST = 10_000_000;
const COUNTED = { concurrent: MOST, pointsPerMinute: MOST, responseMsPerMinute: MOST };

async function contestantOf(client: Client, { body, address, calls }: Kind): Promise<Timed> {
  const stub = createStubGithub(body);
  const options = { auth: STUB_TOKEN, request: { fetch: stub.fetch } };
  const squad = client.squad === undefined ? undefined : createSquad({ secondary: COUNTED, ...client.squad });
  const octokit = squad === undefined ? new Octokit(options) : new (Octokit.plugin(squadRate))({ ...options, squad });
  let index = 0;
  const read = (): Promise<unknown> =>
    octokit.request("GET /repos/{owner}/{repo}/commits", {
      owner: "octocat",
      repo: "hello-world",
      sha: address(++index),
      per_page: 100,
    });
  await read();
  const cpu: number[] = [];
  return {
    name: client.name,
    calls,
    cpu,
    async run(wanted) {
      const before = process.cpuUsage();
      for (let made = 0; made < wanted; made++) await read();
      const { user, system } = process.cpuUsage(before);
      cpu.push((user + system) / wanted);
    },
    async end() {
      await squad?.close();
      const records = await client.made?.();
      if (records === undefined || records === index * RECORDS_OF_A_READ) return;
      throw new Error(`"${client.name}" made ${records} records of ${index} reads.`);
    },
  };
}
