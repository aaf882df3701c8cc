import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Which gh the tests talk to: its output and its queries are not the same in every version. */
const VERSION = "2.23";

/** What {@link requireGh} found. */
export interface TestGh {
  readonly program: string;
  /** True when there is none, or one of another version: skip. */
  readonly missing: boolean;
  /** For the name of the test or suite, so that a skipped one says why. */
  readonly label: string;
}

/**
 * Looks for GitHub's command line program. Missing, its tests are skipped by name; with `SQUAD_RATE_REQUIRE_GH=1` they
 * fail instead. `SQUAD_RATE_TEST_GH` says where it is when it is not on the path.
 *
 * @throws Error when it is missing and required.
 */
export async function requireGh(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<TestGh> {
  const program = environment.SQUAD_RATE_TEST_GH ?? "gh";
  const found = await versionOf(program);
  if (found?.startsWith(`${VERSION}.`)) return { program, missing: false, label: `gh ${VERSION}` };
  const there = found === undefined ? `there is no program "${program}"` : `"${program}" is version ${found}`;
  const why = `${there}; install gh ${VERSION} or set SQUAD_RATE_TEST_GH`;
  if (environment.SQUAD_RATE_REQUIRE_GH === "1")
    throw new Error(`These tests need gh ${VERSION} (SQUAD_RATE_REQUIRE_GH=1), but ${why}.`);
  return { program, missing: true, label: `gh ${VERSION} (skipped: ${why})` };
}

async function versionOf(program: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, ["--version"], { timeout: 10_000 });
    return /version (\S+)/.exec(stdout)?.[1] ?? "unknown";
  } catch {
    return undefined;
  }
}

/** What a run of gh came to. */
export interface GhRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** gh in a home of its own, whose requests all go to one Unix socket. */
export interface GhHome {
  /** Where its requests go. */
  readonly socketPath: string;
  /** Runs it to its end; `environment` adds variables to the few it gets. */
  run(args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<GhRun>;
  /** Writes a file of its configuration, such as `hosts.yml`. */
  configure(file: string, content: string): Promise<void>;
  remove(): Promise<void>;
}

/** Makes a home for gh. Nothing of the caller's is in it: neither configuration nor cache nor token. */
export async function createGhHome(program: string): Promise<GhHome> {
  const home = await mkdtemp(join(tmpdir(), "gh-"));
  const socketPath = join(home, "github.sock");
  const configure = (file: string, content: string) => writeFile(join(home, "config", file), content);
  // gh keeps answers, such as those about the schema, in the folder for temporary files.
  await Promise.all(["config", "tmp"].map((name) => mkdir(join(home, name))));
  await configure("config.yml", `http_unix_socket: ${socketPath}\n`);
  const own = {
    GH_CONFIG_DIR: join(home, "config"),
    GH_NO_UPDATE_NOTIFIER: "1",
    HOME: home,
    NO_COLOR: "1",
    PATH: process.env.PATH ?? "",
    TMPDIR: join(home, "tmp"),
    TZ: "UTC",
  };
  return {
    socketPath,
    configure,
    run: (args, environment = {}) =>
      new Promise((resolve, reject) => {
        const child = execFile(
          program,
          args,
          { cwd: home, env: { ...own, ...environment }, timeout: 15_000 },
          (error, stdout, stderr) => {
            const status = error === null ? 0 : error.code;
            if (typeof status === "number") resolve({ status, stdout, stderr });
            else reject(error);
          },
        );
        child.stdin?.end();
      }),
    remove: () => rm(home, { recursive: true }),
  };
}
