import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/**
 * Type-checks every example against the built package, then runs each: `examples/<name>.ts` and
 * `examples/<name>/main.ts`. One whose first lines say `Needs: GITHUB_TOKEN` (or another variable) is only type-checked
 * while that variable is not set.
 */

const TIMEOUT_MS = 120_000;

const root = resolve(import.meta.dirname, "..");
const folder = join(root, "examples");
const examples = existsSync(folder)
  ? readdirSync(folder, { withFileTypes: true })
      .map((entry) => join(folder, entry.name, ...(entry.isDirectory() ? ["main.ts"] : [])))
      .filter((file) => file.endsWith(".ts") && existsSync(file))
      .sort()
  : [];

const failures: string[] = [];
if (examples.length === 0) failures.push("there is no example");
else if (!succeeds("tsc", ["-p", "tsconfig.examples.json"])) failures.push("type check");
for (const example of examples) {
  const name = relative(root, example);
  const missing = needs(example).filter((variable) => process.env[variable] === undefined);
  console.log(`\n${name}${missing.length > 0 ? ` (type-checked only: ${missing.join(", ")} not set)` : ""}`);
  if (missing.length === 0 && !succeeds("tsx", [example])) failures.push(name);
}
if (failures.length > 0) console.error(`\nFailed: ${failures.join(", ")}`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** Runs one of the repository's own commands, its output passed on. */
function succeeds(command: string, args: readonly string[]): boolean {
  const bin = join(root, "node_modules/.bin", command);
  const { status, error } = spawnSync(bin, args, { cwd: root, stdio: "inherit", timeout: TIMEOUT_MS });
  if (error !== undefined) console.error(error.message);
  return status === 0;
}

/** The environment variables that the head of an example names. */
function needs(example: string): readonly string[] {
  const head = readFileSync(example, "utf8").split("\n", 10).join("\n");
  return [...head.matchAll(/\bNeeds: ([A-Z][A-Z0-9_]+(?:, [A-Z][A-Z0-9_]+)*)/g)].flatMap(([, names]) =>
    (names ?? "").split(", "),
  );
}
