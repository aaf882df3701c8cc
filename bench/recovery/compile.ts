import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformWithOxc } from "vite";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Writes the package and its benchmarks as plain JavaScript, and returns where `entry` is then. A loader that compiles on
 * the way answers each `import()` from a thread of its own: in real time, which virtual time does not wait for, so that
 * every run would come out a little differently.
 */
export async function compile(entry: string): Promise<string> {
  // Of its own, so that two benchmarks do not meet there.
  const output = join(ROOT, "temp", entry.replace(/\.ts$/, ""));
  await rm(output, { recursive: true, force: true });
  for (const folder of ["src", "bench"]) {
    const files = await readdir(join(ROOT, folder), { recursive: true });
    await Promise.all(
      files.filter((file) => file.endsWith(".ts")).map((file) => compileFile(join(folder, file), output)),
    );
  }
  return join(output, entry.replace(/\.ts$/, ".js"));
}

async function compileFile(file: string, folder: string): Promise<void> {
  const source = await readFile(join(ROOT, file), "utf8");
  const typescript = { onlyRemoveTypeImports: true };
  const { code } = await transformWithOxc(source, file, { target: "es2022", sourcemap: false, typescript });
  const output = join(folder, file.replace(/\.ts$/, ".js"));
  await mkdir(dirname(output), { recursive: true });
  await writeFile(output, code);
}
