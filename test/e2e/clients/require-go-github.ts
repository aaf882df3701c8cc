import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** Where Debian keeps the sources of Go packages. */
const SOURCES = "/usr/share/gocode";
const GO_GITHUB = "src/github.com/google/go-github";

/** Go and go-github, or why its tests are skipped. */
export interface GoGithub {
  readonly missing: boolean;
  readonly label: string;
  /** Compiles a program of one file, without a network; `remove` takes it away. */
  build(source: string): Promise<{ readonly program: string; remove(): Promise<void> }>;
}

/**
 * Looks for Go and Debian's go-github. Missing, its tests are skipped by name; with `SQUAD_RATE_REQUIRE_GO=1` they fail.
 *
 * @throws Error when either is missing and required.
 */
export async function requireGoGithub(): Promise<GoGithub> {
  const hasGo = await promisify(execFile)("go", ["version"], { timeout: 20_000 }).then(
    () => true,
    () => false,
  );
  const missing = !hasGo || !existsSync(join(SOURCES, GO_GITHUB));
  const remedy = "install golang-go and golang-github-google-go-github-dev";
  if (missing && process.env.SQUAD_RATE_REQUIRE_GO === "1")
    throw new Error(`These tests need Go and go-github (SQUAD_RATE_REQUIRE_GO=1); ${remedy}.`);
  return { missing, label: missing ? `go-github (skipped: ${remedy})` : "go-github", build };
}

async function build(source: string): Promise<{ readonly program: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "go-github-"));
  // Debian leaves out the version that everybody else's imports name.
  const versioned = join(folder, "path", GO_GITHUB, "v48");
  await mkdir(dirname(versioned), { recursive: true });
  await symlink(join(SOURCES, GO_GITHUB), versioned);
  const program = join(folder, "program");
  await promisify(execFile)("go", ["build", "-o", program, source], {
    env: {
      ...process.env,
      GO111MODULE: "off",
      GOCACHE: join(folder, "cache"),
      GOPATH: `${join(folder, "path")}:${SOURCES}`,
    },
    timeout: 240_000,
  });
  return { program, remove: () => rm(folder, { recursive: true }) };
}
