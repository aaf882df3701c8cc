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
  { name: "revalidated, tiny body", body: TINY_BODY, address: () => "branch-0", calls: 20 },
  { name: "miss, tiny body", body: TINY_BODY, address: (index) => `branch-${index}`, calls: 20 },
  { name: "revalidated, 10 kB", body: listBody(10_000), address: () => "branch-0", calls: 10 },
];

/** What a trace costs. */
export const trace: Benchmark = {
  name: "trace",
  question: "What does a trace add to a read, when GitHub answers at once?",
  async run(effort) {
    const rounds: Rounds = effort.short ? { warmUp: 3, measured: 9, turns: 6 } : { warmUp: 6, measured: 25, turns: 12 };
    const directory = await mkdtemp(join(tmpdir(), "squad-rate-bench-trace-"));
    const lines = [
      `Microseconds per read: the median of ${rounds.measured} rounds in which all take turns, and the fastest twentieth of the turns. Each`,
      `read makes ${RECORDS_OF_A_READ} records. \`added\`: to the same squad without a trace, in the same round; \`CPU\`: the process's own time, which`,
      "a busy machine disturbs least, added likewise.",
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

const HEAD = ["client", "µs", "of plain", "added", "CPU", "added", "target", "at best", "added"];

interface Found {
  readonly name: string;
  readonly micros: number;
  readonly ofPlain: number;
  readonly added: number | undefined;
  readonly cpuMicros: number;
  readonly cpuAdded: number | undefined;
  readonly target: number | undefined;
  readonly atBest: number;
  readonly atBestAdded: number | undefined;
}

function rowOf(found: Found): readonly string[] {
  const { name, micros, ofPlain, added, cpuMicros, cpuAdded, target, atBest, atBestAdded } = found;
  const signed = (value: number | undefined): string =>
    value === undefined ? "" : `${value < 0 ? "" : "+"}${value.toFixed(1)}`;
  const verdict = target === undefined ? "" : `<= ${target} ${(cpuAdded ?? Number.NaN) <= target ? "  ok" : "OVER"}`;
  return [
    name,
    micros.toFixed(1),
    ofPlain.toFixed(2),
    signed(added),
    cpuMicros.toFixed(1),
    signed(cpuAdded),
    verdict,
    atBest.toFixed(1),
    signed(atBestAdded),
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

const UNTRACED = "no trace";

function clientsIn(directory: string, name: string): readonly Client[] {
  let taken = 0;
  const file = join(directory, `${name}.jsonl`);
  return [
    { name: "plain Octokit", squad: undefined },
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
  const wall = (name: string): Measured => measured.get(name) as Measured;
  const cpuOf = (name: string): readonly number[] => {
    const taken = contestants.find((one) => one.name === name)?.cpu ?? [];
    const perRound = rounds.turns;
    const turns = taken.slice(-rounds.measured * perRound);
    return Array.from({ length: rounds.measured }, (_, round) => {
      const own = turns.slice(round * perRound, (round + 1) * perRound);
      return own.reduce((sum, micros) => sum + micros, 0) / own.length;
    });
  };
  const medianDifference = (own: readonly number[], other: readonly number[]): number =>
    spreadOf(own.map((value, round) => value - (other[round] ?? Number.NaN))).median;
  return clients.map(({ name, squad, target }) => {
    const isTraced = target !== undefined;
    const own = wall(name);
    return {
      name,
      micros: spreadOf(own.means).median,
      ofPlain: spreadOf(own.means.map((mean, round) => mean / (wall("plain Octokit").means[round] ?? Number.NaN)))
        .median,
      added: isTraced ? medianDifference(own.means, wall(UNTRACED).means) : undefined,
      cpuMicros: spreadOf(cpuOf(name)).median,
      cpuAdded: isTraced ? medianDifference(cpuOf(name), cpuOf(UNTRACED)) : undefined,
      target: squad === undefined ? undefined : target,
      atBest: own.atBest,
      atBestAdded: isTraced ? own.atBest - wall(UNTRACED).atBest : undefined,
    };
  });
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
