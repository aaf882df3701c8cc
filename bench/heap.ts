import { createSquad, type Squad } from "octokit-plugin-squad-rate";
import type { Benchmark } from "./benchmark.js";
import { listBody } from "./bodies.js";
import { spreadOf } from "./rounds.js";
import { createStubGithub, STUB_HEADERS } from "./stub-github.js";
import { table } from "./table.js";

const ENTRIES = 1_000;

const BODIES: readonly { readonly name: string; readonly body: string }[] = [
  { name: "10 kB", body: listBody(10_000) },
  // V8 keeps a text with any character beyond U+00FF in two bytes for each character.
  { name: "10 kB with one word beyond Latin-1", body: listBody(10_000, "レビュー") },
  { name: "100 bytes", body: listBody(100).slice(0, 1).padEnd(99, " ").concat("]") },
];

/** What memory kept answers take, and what the cache thinks they take. */
export const heap: Benchmark = {
  name: "heap",
  question: `How much memory do ${ENTRIES.toLocaleString("en")} kept answers take?`,
  async run({ short }) {
    const times = short ? 1 : 3;
    const found: { name: string; bytes: number; heapBytes: number; countedBytes: number }[] = [];
    for (const { name, body } of BODIES) {
      await grownBy(body);
      const grown: Grown[] = [];
      for (let time = 0; time < times; time++) grown.push(await grownBy(body));
      const heapBytes = spreadOf(grown.map((one) => one.heapBytes)).median;
      found.push({ name, bytes: Buffer.byteLength(body), heapBytes, countedBytes: grown[0]?.countedBytes ?? 0 });
    }
    const mb = (bytes: number): string => (bytes / 1e6).toFixed(2);
    const rows = found.map(({ name, bytes, heapBytes, countedBytes }) => [
      name,
      mb(heapBytes),
      mb(bytes * ENTRIES),
      mb(countedBytes),
      ((heapBytes - bytes * ENTRIES) / ENTRIES).toFixed(0),
    ]);
    const head = [
      "each answer",
      "MB taken",
      "MB of bodies",
      "MB counted against maxBytes",
      "bytes an answer beside its body",
    ];
    const how = `Heap and buffers after a full collection, the median of ${times}. Each answer has an address of its own.`;
    return { lines: [how, "", ...table([head, ...rows])], data: { entries: ENTRIES, times, found } };
  },
};

interface Grown {
  readonly heapBytes: number;
  readonly countedBytes: number;
}

async function grownBy(body: string): Promise<Grown> {
  const stub = createStubGithub(body);
  const squad = createSquad({ fetch: stub.fetch, secondary: false });
  await fill(squad, -1, 0);
  const before = usedBytes();
  await fill(squad, 0, ENTRIES);
  const heapBytes = usedBytes() - before;
  const kept = squad.status().cache;
  if (kept?.entries !== ENTRIES + 1) throw new Error(`${kept?.entries} answers are kept in place of ${ENTRIES + 1}`);
  const countedBytes = (kept.bytes * ENTRIES) / kept.entries;
  await squad.close();
  return { heapBytes, countedBytes };
}

async function fill(squad: Squad, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index++) {
    const url = `https://api.github.com/repos/octocat/hello-world/commits?per_page=100&sha=branch-${index}`;
    await (await squad.fetch(url, { headers: STUB_HEADERS })).arrayBuffer();
  }
}

function usedBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
