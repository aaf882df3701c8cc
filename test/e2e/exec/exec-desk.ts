import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { createSimulatedGitHub, type SimulatedGitHub, type SimulatedGitHubOptions } from "../../../src/sim/index.js";

const ROOT = resolve(import.meta.dirname, "../../..");
const BUILT = join(ROOT, "dist/cli/main.js");

/** How the command line runs: as it is built, which begins sooner, unless that is older than its sources. */
const SQUAD_RATE: readonly string[] = isBuilt()
  ? [process.execPath, BUILT]
  : [process.execPath, "--import", import.meta.resolve("tsx"), join(ROOT, "src/cli/main.ts")];
/** The same for a shell. */
export const SQUAD_RATE_IN_SHELL: string = SQUAD_RATE.map((word) => `'${word}'`).join(" ");

/** What a run came to. */
export interface Run {
  /** Its exit code, or the signal that ended it. */
  readonly how: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  readonly ended: Promise<Run>;
  /** Resolves when the process has ended, though what it has started may still hold its output. */
  readonly died: Promise<void>;
  stderr(): string;
  /** What has been printed, as soon as this is in it. */
  printed(text: string): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** Gives it this to read, and no more. */
  tell(text: string): void;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** All that it can read; undefined: what it is told later. */
  readonly input?: string | Buffer | undefined;
  readonly cwd?: string;
  /** Told what has been printed so far, at each piece of it. */
  readonly onOutput?: (stdout: string) => void;
}

/** A simulated GitHub, and a user of this machine: home, runtime folder, and whatever serves in it. */
export interface ExecDesk {
  readonly github: SimulatedGitHub;
  readonly upstream: string;
  readonly home: string;
  /** Where gh has its configuration. */
  readonly ghFolder: string;
  readonly runtime: string;
  /** Runs `squad-rate` with these words, to its end. */
  run(words: readonly string[], options?: StartOptions): Promise<Run>;
  /** Begins to. */
  start(words: readonly string[], options?: StartOptions): Running;
  /** Processes that serve as daemons for this user, as the kernel knows them. */
  daemons(): readonly number[];
  /** The folder of the only proxy. */
  folder(): string;
  /** The folder in which somebody is about to start one. */
  lockedFolder(): string | undefined;
}

const MAX_RUN_MS = 60_000;

/** Sets all that up for the running test, and clears it away afterwards. */
export async function execDesk(options: SimulatedGitHubOptions = {}): Promise<ExecDesk> {
  const base = mkdtempSync(join(tmpdir(), "sr-"));
  const [home, runtime] = [join(base, "home"), join(base, "run")];
  const ghFolder = join(home, ".config", "gh");
  mkdirSync(ghFolder, { recursive: true });
  mkdirSync(runtime);
  chmodSync(runtime, 0o700);
  const github = createSimulatedGitHub(options);
  github.world.addToken("ghp_mona", "mona", { scopes: "repo, read:org, user" });
  github.world.addRepository({ owner: "acme", name: "app" });
  const server = await github.listen({ port: 0 });
  const upstream = new URL(server.url).origin;
  const own: Readonly<Record<string, string | undefined>> = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TMPDIR: base,
    TZ: "UTC",
    NO_COLOR: "1",
    GH_NO_UPDATE_NOTIFIER: "1",
    GH_TOKEN: "ghp_mona",
    SQUAD_RATE_RUNTIME_DIR: runtime,
    SQUAD_RATE_UPSTREAM: upstream,
  };
  const running = new Set<ChildProcess>();

  const start = (words: readonly string[], options: StartOptions = {}): Running => {
    const { env = {}, cwd = home, onOutput } = options;
    const input = "input" in options ? options.input : "";
    const child = spawn(SQUAD_RATE[0] as string, [...SQUAD_RATE.slice(1), ...words], { cwd, env: { ...own, ...env } });
    running.add(child);
    let [stdout, stderr] = ["", ""];
    const lookers = new Set<() => void>();
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      onOutput?.(stdout);
      for (const look of lookers) look();
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdin.on("error", () => {});
    if (input !== undefined) child.stdin.end(input);
    const late = setTimeout(() => child.kill("SIGKILL"), MAX_RUN_MS);
    const ended = new Promise<Run>((done) => {
      child.once("close", (code, signal) => {
        clearTimeout(late);
        running.delete(child);
        for (const look of lookers) look();
        done({ how: signal ?? code ?? -1, stdout, stderr });
      });
    });
    return {
      pid: child.pid as number,
      ended,
      died: new Promise((done) => child.once("exit", () => done())),
      stderr: () => stderr,
      kill: (signal) => void child.kill(signal),
      tell: (text) => void child.stdin.end(text),
      printed: (text) =>
        new Promise((found, missed) => {
          const look = (): void => {
            if (stdout.includes(text)) found(stdout);
            else if (!running.has(child)) missed(new Error(`It ended without that: ${stdout} ${stderr}`));
          };
          lookers.add(look);
          look();
        }),
    };
  };

  const daemons = (): readonly number[] =>
    readdirSync("/proc")
      .filter((pid) => logOf(pid).startsWith(base))
      .map(Number);

  onTestFinished(async () => {
    for (const child of running) child.kill("SIGKILL");
    for (const pid of daemons()) kill(pid, "SIGTERM");
    for (let look = 0; daemons().length > 0; look++) {
      if (look > 50) for (const pid of daemons()) kill(pid, "SIGKILL");
      await new Promise((later) => setTimeout(later, 100));
    }
    await server.close();
    rmSync(base, { recursive: true, force: true });
  });

  return {
    github,
    upstream,
    home,
    ghFolder,
    runtime,
    start,
    run: (words, options) => start(words, options).ended,
    lockedFolder: () => readdirSync(runtime).find((name) => existsSync(join(runtime, name, "start.lock"))),
    daemons,
    folder: () => {
      const [name, ...others] = readdirSync(runtime).filter((entry) => /^[0-9a-f]{12}$/.test(entry));
      if (name === undefined || others.length > 0) throw new Error("There is not one proxy's folder.");
      return join(runtime, name);
    },
  };
}

/** A daemon's standard error is the log of its folder, which is how it is told from others'; "" for what is none. */
function logOf(pid: string): string {
  try {
    const isDaemon = /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("\0--daemon\0");
    return isDaemon ? readlinkSync(`/proc/${pid}/fd/2`) : "";
  } catch {
    return "";
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** Whether processes can be looked at as the kernel knows them; elsewhere the tests that need it are skipped. */
export const HAS_PROC: boolean = existsSync("/proc/self/fd");

function isBuilt(): boolean {
  const built = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return readdirSync(join(ROOT, "src"), { recursive: true, withFileTypes: true }).every(
    (entry) => !entry.isFile() || statSync(join(entry.parentPath, entry.name)).mtimeMs <= built,
  );
}
