import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Benchmark } from "./benchmark.js";
import { type Asked, Load, type Way } from "./proxy/load.js";
import { startProcess } from "./proxy/start-process.js";
import { TOKEN } from "./proxy/world.js";
import { table } from "./table.js";

/** What the proxy may add at the 99th percentile, in milliseconds. */
const MOST_ADDED_MS = 3;
const PER_SECOND = 200;

const HEADERS = {
  authorization: `token ${TOKEN}`,
  accept: "application/vnd.github+json",
  "user-agent": "bench",
  "content-type": "application/json",
};

const ASKED: readonly Asked[] = [
  { name: "read of 14 kB, unchanged: 304 upstream", method: "GET", path: "/repos/acme/app-1/pulls?per_page=1" },
  { name: "read of 356 kB, unchanged: 304 upstream", method: "GET", path: "/repos/acme/app-1/pulls" },
  {
    name: "GraphQL, its cost captured",
    method: "POST",
    path: "/graphql",
    body: JSON.stringify({
      query: `{ repository(owner: "acme", name: "app-1") { pullRequests(first: 25) { nodes { number title } } } }`,
    }),
  },
];

/** What the proxy costs those who go through it. */
export const proxy: Benchmark = {
  name: "proxy",
  question: "What does the proxy add to a request, at 200 requests a second and without limits?",
  async run({ short }) {
    const directory = await mkdtemp(join(tmpdir(), "squad-rate-bench-proxy-"));
    const socketPath = join(directory, "client.sock");
    const github = await startProcess("github-process");
    const proxied = await startProcess("proxy-process", github.url, socketPath);
    try {
      const ways = waysTo(github.url, proxied.url, socketPath);
      const rounds = short ? 3 : 20;
      const found = await compare(ways, rounds);
      return { lines: linesOf(found, rounds), data: { rounds, perSecond: PER_SECOND, found } };
    } finally {
      for (const { child } of [proxied, github]) child.kill();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

function waysTo(githubUrl: string, proxyUrl: string, socketPath: string): readonly Way[] {
  const over = (name: string, address: string): Way => {
    const { hostname, port, pathname } = new URL(address);
    return { name, to: { host: hostname, port }, base: pathname.replace(/\/$/, ""), keepAlive: true };
  };
  const host = { host: "api.github.com" };
  return [
    over("direct", githubUrl),
    over("proxy, base URL", proxyUrl),
    { name: "proxy, Unix socket", to: { ...host, socketPath }, base: "", keepAlive: true },
    { name: "proxy, a connection each", to: { ...host, socketPath }, base: "", keepAlive: false },
  ];
}

interface Found {
  readonly asked: string;
  readonly way: string;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** All take turns of a second, so that whatever slows the machine for a while slows all of them. */
async function compare(ways: readonly Way[], rounds: number): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const asked of ASKED) {
    const taking = ways.map((way) => ({ way, load: new Load(way), tookMs: [] as number[] }));
    for (let round = -2; round < rounds; round++) {
      for (const { load, tookMs } of taking) {
        const took = await load.run(asked, HEADERS, PER_SECOND, PER_SECOND);
        if (round >= 0) tookMs.push(...took);
      }
    }
    for (const { way, load, tookMs } of taking) {
      load.close();
      tookMs.sort((a, b) => a - b);
      const at = (share: number): number => tookMs[Math.ceil(share * tookMs.length) - 1] ?? Number.NaN;
      found.push({ asked: asked.name, way: way.name, requests: tookMs.length, p50Ms: at(0.5), p99Ms: at(0.99) });
    }
  }
  return found;
}

function linesOf(found: readonly Found[], rounds: number): readonly string[] {
  const lines = [
    `Milliseconds from the moment a request is due until its last byte: ${rounds} turns of a second each, in which all take turns;`,
    "client, proxy and simulated GitHub are three processes of this machine.",
  ];
  for (const { name } of ASKED) {
    const rows = found.filter(({ asked }) => asked === name);
    const direct = rows[0];
    if (direct === undefined) continue;
    lines.push("", name, "", ...table([HEAD, ...rows.map((row) => rowOf(row, direct))]));
  }
  return lines;
}

const HEAD = ["way", "requests", "p50", "added", "p99", "added", "target"];

function rowOf({ way, requests, p50Ms, p99Ms }: Found, direct: Found): readonly string[] {
  const isDirect = way === direct.way;
  const addedMs = p99Ms - direct.p99Ms;
  const ms = (value: number): string => value.toFixed(2);
  const added = (value: number): string => (isDirect ? "" : `${value < 0 ? "" : "+"}${ms(value)}`);
  const target = isDirect ? "" : `${addedMs <= MOST_ADDED_MS ? "met" : "missed"} (${MOST_ADDED_MS})`;
  return [way, String(requests), ms(p50Ms), added(p50Ms - direct.p50Ms), ms(p99Ms), added(addedMs), target];
}
