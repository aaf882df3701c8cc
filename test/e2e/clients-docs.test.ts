import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { requireGh } from "../harness/gh.js";
import { CURL, PYGITHUB, requireProgram } from "./clients/require-program.js";
import { SQUAD_RATE_IN_SHELL } from "./exec/exec-desk.js";

/**
 * What docs/clients.md tells its readers to run, as it says itself: on a simulated GitHub, by `squad-rate simulate --`. The word
 * after `sh` names a program that has to be there.
 */

const ROOT = resolve(import.meta.dirname, "../..");
const TSX = import.meta.resolve("tsx");
const page = await readFile(join(ROOT, "docs/clients.md"), "utf8");
const [gh, curl, python] = await Promise.all([requireGh(), requireProgram(CURL), requireProgram(PYGITHUB)]);
const NEEDED: Readonly<Record<string, { readonly missing: boolean; readonly label: string }>> = { gh, curl, python };

const blocks = (language: string) =>
  [...page.matchAll(/^```(\w+) ?(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, its]) => its === language)
    .map(([, , word = "", code = ""]) => ({ word, code, needed: NEEDED[word] }));

const COMMANDS = blocks("sh").flatMap(({ code, needed }) =>
  code
    .trimEnd()
    .split("\n")
    .map((line) => ({ line, needed })),
);
const PROGRAM = blocks("python").map(({ code }) => code)[0] ?? "";
const LEFT_OUT = Object.values(NEEDED).filter(({ missing }) => missing);

describe("docs/clients.md", { timeout: 120_000 }, () => {
  it(["has commands that work as it says", ...LEFT_OUT.map(({ label }) => label)].join("; "), async () => {
    expect(COMMANDS.length).toBeGreaterThanOrEqual(7);
    const lines = COMMANDS.filter(({ needed }) => needed?.missing !== true).map(({ line }) => line);
    if (!python.missing) lines.push("squad-rate exec -- python3 $HOME/program.py");

    const results = await onSimulated(lines, { "program.py": PROGRAM });

    expect(results.map(({ line, status }) => ({ line, status }))).toEqual(lines.map((line) => ({ line, status: "0" })));
    expect(results.filter(({ stdout }) => stdout === "")).toEqual([]);
    if (!python.missing) expect(results.at(-1)?.stdout).toBe("mona\n");
  });

  it("runs its program with a squad's fetch", async () => {
    const [{ code } = { code: "" }] = blocks("ts");
    const folder = join(ROOT, "temp/clients");
    await mkdir(folder, { recursive: true });
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "program.ts"), code);
    const args = ["--import", TSX, "--import", join(ROOT, "test/readme/sandbox.ts"), join(folder, "program.ts")];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, NO_COLOR: "1" } });
    expect(stdout).toBe("miss\n{ viewer: { login: 'mona' } }\n");
  });
});

/** Runs lines as a reader does who has installed everything and stands in the package's folder, with these files at home. */
async function onSimulated(
  lines: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<readonly { readonly line: string | undefined; readonly stdout: string; readonly status: string }[]> {
  const home = await mkdtemp(join(tmpdir(), "docs-"));
  const bin = join(home, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "squad-rate"), `#!/bin/sh\nexec ${SQUAD_RATE_IN_SHELL} "$@"\n`);
  await chmod(join(bin, "squad-rate"), 0o755);
  if (!python.missing) await symlink(python.program, join(bin, "python3"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text);
  const env = {
    HOME: home,
    NO_COLOR: "1",
    PATH: `${bin}:${process.env.PATH}`,
    SQUAD_RATE_RUNTIME_DIR: join(home, "run"),
    TMPDIR: home,
  };
  const script = [...lines.map((line) => `${line}\necho "${MARK}$?"`), "squad-rate proxy --stop >&2"].join("\n");
  try {
    const args = ["-c", `squad-rate simulate --quiet -- sh -c ${quoted(script)}`];
    const { stdout } = await promisify(execFile)("sh", args, { cwd: ROOT, env, timeout: 100_000 });
    return [...stdout.matchAll(new RegExp(`([^]*?)${MARK}(\\d+)\n`, "g"))].map(
      ([, printed = "", status = ""], index) => ({ line: lines[index], stdout: printed, status }),
    );
  } finally {
    await rm(home, { recursive: true });
  }
}

/** Stands between what two lines print. */
const MARK = "---- ended with ";

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
