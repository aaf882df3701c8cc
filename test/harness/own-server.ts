import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A server of the test's own, on a port of its own, that may be stopped and killed as it likes. */
export interface OwnServer {
  readonly url: string;
  /** Stops it where it stands: connections stay, nothing is answered. */
  pause(): void;
  resume(): void;
  /** Kills it at once; what it had not saved is gone. */
  kill(): Promise<void>;
  /** Starts it again at the same place. */
  start(): Promise<void>;
  /** Kills it and removes what it left. */
  remove(): Promise<void>;
}

/** How a kind of server is started, or why it cannot be. */
export interface OwnServerKind {
  readonly name: "redis" | "postgres";
  readonly missing: boolean;
  /** For the name of a test, so that a skipped one says why. */
  readonly label: string;
  create(): Promise<OwnServer>;
}

/** `redis-server`, from the PATH. */
export async function ownRedis(): Promise<OwnServerKind> {
  const missing = await run("redis-server", ["--version"]).then(
    () => false,
    () => true,
  );
  return {
    name: "redis",
    missing: require(missing, "redis-server"),
    label: missing ? "redis (skipped: no redis-server on the PATH)" : "redis",
    create: async () => {
      const port = await freePort();
      const directory = await mkdtemp(join(tmpdir(), "squad-rate-redis-"));
      const flags = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", directory];
      const start = (): ChildProcess => spawn("redis-server", flags, { stdio: "ignore" });
      return serve(start, port, `redis://127.0.0.1:${port}`, directory);
    },
  };
}

/** `postgres`, from the PATH's usual neighbour: Debian keeps the server's programs out of it. */
export async function ownPostgres(): Promise<OwnServerKind> {
  const versions = "/usr/lib/postgresql";
  const version = existsSync(versions)
    ? readdirSync(versions).find((each) => existsSync(join(versions, each, "bin/initdb")))
    : undefined;
  return {
    name: "postgres",
    missing: require(version === undefined, "the programs of a Postgres server"),
    label: version === undefined ? `postgres (skipped: no server programs in ${versions})` : "postgres",
    create: async () => {
      const bin = join(versions, version as string, "bin");
      const port = await freePort();
      const directory = await mkdtemp(join(tmpdir(), "squad-rate-postgres-"));
      const who = await unprivileged();
      if (who.uid !== undefined) await chown(directory, who.uid, who.gid as number);
      await run(join(bin, "initdb"), ["-D", directory, "-A", "trust", "-U", "postgres", "--no-sync"], {
        ...who,
        cwd: directory,
      });
      const flags = ["-D", directory, "-p", String(port), "-k", directory, "-h", "127.0.0.1"];
      const start = (): ChildProcess =>
        spawn(join(bin, "postgres"), flags, { ...who, cwd: directory, stdio: "ignore" });
      return serve(start, port, `postgres://postgres@127.0.0.1:${port}/postgres`, directory);
    },
  };
}

/** With SQUAD_RATE_REQUIRE_SERVERS=1 a missing server fails the tests instead of skipping them. */
function require(missing: boolean, what: string): boolean {
  if (missing && process.env.SQUAD_RATE_REQUIRE_SERVERS === "1") {
    throw new Error(`These tests need ${what} (SQUAD_RATE_REQUIRE_SERVERS=1).`);
  }
  return missing;
}

async function serve(
  spawnServer: () => ChildProcess,
  port: number,
  url: string,
  directory: string,
): Promise<OwnServer> {
  let server: ChildProcess;
  const signal = (name: NodeJS.Signals): void => {
    const pid = server.pid as number;
    // The server first, so that it begets no more; Postgres has a process per connection, each in a session of its own.
    process.kill(pid, "SIGSTOP");
    for (const child of childrenOf(pid)) process.kill(child, name);
    process.kill(pid, name);
  };
  const start = async (): Promise<void> => {
    server = spawnServer();
    await listening(port);
  };
  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    signal("SIGKILL");
    await ended;
  };
  await start();
  return {
    url,
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    kill,
    start,
    remove: async () => {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the parent is the second field after the name. */
function childrenOf(parent: number): number[] {
  return (existsSync("/proc") ? readdirSync("/proc") : [])
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const connected = await new Promise<boolean>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port }, () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("close", () => resolve(false));
      socket.unref();
      setTimeout(() => socket.destroy(), 1_000).unref();
    });
    if (connected) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nothing came to listen at port ${port}.`);
}

/** Postgres refuses to run as root. */
async function unprivileged(): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (flag) => Number((await run("id", [flag, "postgres"])).stdout)),
  );
  return { uid: uid as number, gid: gid as number };
}
