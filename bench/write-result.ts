import { mkdir, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = new URL("results/", import.meta.url);

/** Where the results of a benchmark lie, as a path to print. */
export function resultFile(name: string): string {
  return relative(process.cwd(), fileURLToPath(new URL(`${name}.json`, FOLDER)));
}

/** Writes a page beside them, and returns its path to print. */
export async function writePage(name: string, html: string): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  const page = new URL(`${name}.html`, FOLDER);
  await writeFile(page, html);
  return relative(process.cwd(), fileURLToPath(page));
}

/** Writes what a benchmark found, with what one must know of the machine to compare it with another time's. */
export async function writeResult(name: string, result: object): Promise<void> {
  const cores = cpus();
  const machine = { node: process.version, platform: `${process.platform} ${process.arch}`, cpu: cores[0]?.model };
  const report = {
    benchmark: name,
    at: new Date().toISOString(),
    ...machine,
    cores: cores.length,
    load: loadavg()[0],
    ...result,
  };
  await mkdir(FOLDER, { recursive: true });
  await writeFile(new URL(`${name}.json`, FOLDER), `${JSON.stringify(report, null, 2)}\n`);
}
