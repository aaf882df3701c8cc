import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Benchmark } from "./benchmark.js";
import { loadedBy } from "./loaded-modules.js";
import { spreadOf } from "./rounds.js";
import { table } from "./table.js";

/** What is imported, each in a process of its own. */
const IMPORTS: readonly (readonly string[])[] = [
  ["@octokit/core"],
  ["@octokit/core", "octokit-plugin-squad-rate"],
  ["octokit-plugin-squad-rate"],
  ["@octokit/core", "@octokit/plugin-throttling", "@octokit/plugin-retry"],
];

const run = promisify(execFile);

/** What a program pays at its start for importing the package. */
export const importCost: Benchmark = {
  name: "import-cost",
  question: "What does importing the package cost a program at its start, and what does it load?",
  async run({ short }) {
    const times = short ? 3 : 11;
    const tookMs = IMPORTS.map((): number[] => []);
    for (let time = 0; time < times; time++) {
      for (const [index, packages] of IMPORTS.entries()) tookMs[index]?.push(await importMs(packages));
    }
    const found = IMPORTS.map((packages, index) => ({ packages, ...spreadOf(tookMs[index] ?? []) }));
    const [core] = found;
    const rows = found.map(({ packages, median, min, max }) => {
      const beyondCore = core === undefined || packages[0] !== "@octokit/core" ? "" : (median - core.median).toFixed(1);
      return [packages.join(" + "), median.toFixed(1), min.toFixed(1), max.toFixed(1), beyondCore];
    });
    const loaded = await loadedBy("octokit-plugin-squad-rate");
    const lines = [
      `Milliseconds for the import alone, in new processes (${times} each, taking turns).`,
      "",
      ...table([["imported", "median", "least", "greatest", "beyond core"], ...rows]),
      "",
      "What octokit-plugin-squad-rate alone loads:",
      "",
      ...table([
        ["package", "files", "kB of source"],
        ...loaded.packages.map(({ name, files, bytes }) => [name, String(files), (bytes / 1000).toFixed(1)]),
      ]),
      "",
      `Built into Node: ${loaded.builtins.join(", ") || "nothing"}.`,
    ];
    return { lines, data: { times, imports: found, loaded } };
  },
};

async function importMs(packages: readonly string[]): Promise<number> {
  const imports = packages.map((name) => `await import(${JSON.stringify(name)});`).join(" ");
  const script = `const startedAt = performance.now(); ${imports} console.log(performance.now() - startedAt);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script]);
  return Number(stdout);
}
