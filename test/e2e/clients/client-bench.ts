import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { createProxy, type ProxyClient } from "../../../src/proxy/index.js";
import { createReport, type Report } from "../../../src/report/index.js";
import {
  createSimulatedGitHub,
  populateWorld,
  type SimulatedExchange,
  type SimulatedGitHub,
  type SimulatedGitHubOptions,
} from "../../../src/sim/index.js";

/** The ways in which a client may reach GitHub. */
export const WAYS = ["directly", "through a proxy", "through exec"] as const;
export type Way = (typeof WAYS)[number];
/** Those by which the squad knows of it. */
export const SHARED_WAYS = ["through a proxy", "through exec"] as const satisfies readonly Way[];

/** What a run of a client came to. */
export interface ClientRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A simulated GitHub on a port, and one way to it. */
export interface ClientBench {
  readonly github: SimulatedGitHub;
  /** Where a client finds GitHub; under exec, exec itself says it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs a client to its end, as `mona` and as the agent `clerk`. Of the environment it gets only what it needs. */
  run(program: string, ...args: readonly string[]): Promise<ClientRun>;
  /** What {@link ClientBench.run} prints, if it succeeds without a word of complaint. */
  printed(program: string, ...args: readonly string[]): Promise<string>;
  /** The exchanges since this was last asked. */
  asked(): readonly SimulatedExchange[];
  /** Ends the proxy and reads its trace. */
  report(): Promise<Report>;
}

export interface BenchOptions extends SimulatedGitHubOptions {
  /** How long the squad lets a call wait. */
  readonly maxWaitMs?: number;
}

const ROOT = resolve(import.meta.dirname, "../../..");
const CLI = [process.execPath, "--import", "tsx", join(ROOT, "src/cli/main.ts")] as const;

/** With `acme/app-1`, which has issues from #1 on and a dozen pull requests; the same each time. */
export async function setUpClients(way: Way, { maxWaitMs, ...options }: BenchOptions = {}): Promise<ClientBench> {
  const github = createSimulatedGitHub(options);
  github.world.addToken("ghp_mona", "mona");
  populateWorld(github.world, { owner: "acme", pullRequests: 12 });
  const home = await mkdtemp(join(tmpdir(), "clients-"));
  const server = await github.listen();
  const trace = join(home, "trace.jsonl");
  const host = options.ghes ? "github.example.com" : "github.com";
  const reached = await WAY[way]({ home, url: server.url, host, trace, maxWaitMs });
  onTestFinished(async () => {
    await reached.end();
    await server.close();
    await rm(home, { recursive: true });
  });
  const run = (program: string, ...args: readonly string[]): Promise<ClientRun> => {
    const [first = "", ...rest] = [...reached.before, program, ...args];
    return runToEnd(first, rest, { ...own(home), GH_TOKEN: "ghp_mona", ...reached.environment });
  };
  let seen = 0;
  return {
    github,
    environment: reached.environment,
    run,
    printed: async (program, ...args) => {
      const { status, stdout, stderr } = await run(program, ...args);
      if (status !== 0 || stderr !== "") throw new Error(`${program} ended with ${status}: ${stderr}`);
      return stdout;
    },
    asked: () => {
      const exchanges = github.log.slice(seen);
      seen = github.log.length;
      return exchanges;
    },
    report: async () => {
      await reached.end();
      return createReport({ files: [trace] });
    },
  };
}

interface Setting {
  readonly home: string;
  /** The simulated GitHub's. */
  readonly url: string;
  readonly host: string;
  readonly trace: string;
  readonly maxWaitMs: number | undefined;
}

/** What stands before a client's words, and in its environment. */
interface Reached {
  readonly before: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** More than once does no harm. */
  end(): Promise<void>;
}

const WAY: Readonly<Record<Way, (setting: Setting) => Promise<Reached>>> = {
  directly: async ({ url }) => ({
    before: [],
    environment: { GITHUB_API_URL: url, GITHUB_GRAPHQL_URL: `${url.replace(/\/v3$/, "")}/graphql` },
    end: async () => undefined,
  }),
  "through a proxy": async ({ home, url, host, trace, maxWaitMs }) => {
    const proxy = await createProxy({ upstream: url, host, squad: { trace, maxWaitMs } });
    const client = await proxy.admit({ agent: "clerk", socketPath: join(home, "clerk.sock") });
    return { before: [], environment: environmentOf(client), end: () => proxy.close() };
  },
  "through exec": async ({ home, url, host, trace, maxWaitMs }) => {
    const settings = ["--upstream", url, "--host", host, "--trace", trace];
    if (maxWaitMs !== undefined) settings.push("--max-wait-ms", String(maxWaitMs));
    const environment = { SQUAD_RATE_RUNTIME_DIR: join(home, "run") };
    let ended: Promise<unknown> | undefined;
    const [node, ...cli] = CLI;
    return {
      before: [...CLI, "exec", "--agent", "clerk", ...settings, "--"],
      environment,
      end: async () => {
        ended ??= runToEnd(node, [...cli, "proxy", "--stop", ...settings], { ...own(home), ...environment });
        await ended;
      },
    };
  },
};

/** As `squad-rate exec` sets it. */
function environmentOf(client: ProxyClient): Readonly<Record<string, string>> {
  return {
    GITHUB_API_URL: client.apiUrl,
    GITHUB_GRAPHQL_URL: client.graphqlUrl,
    SQUAD_RATE_ROOTED_API_URL: client.rootedApiUrl,
    SQUAD_RATE_SOCKET: client.socketPath ?? "",
  };
}

/** Nothing of the caller's but where programs are. */
function own(home: string): Readonly<Record<string, string>> {
  return { HOME: home, NO_COLOR: "1", PATH: process.env.PATH ?? "", TZ: "UTC" };
}

function runToEnd(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<ClientRun> {
  return new Promise((done, reject) => {
    const child = execFile(program, args, { cwd: ROOT, env, timeout: 60_000 }, (error, stdout, stderr) => {
      const status = error === null ? 0 : error.code;
      if (typeof status === "number") done({ status, stdout, stderr });
      else reject(error);
    });
    child.stdin?.end();
  });
}
