import { availableParallelism, loadavg } from "node:os";
import type { Benchmark } from "./benchmark.js";
import { graphql } from "./graphql.js";
import { heap } from "./heap.js";
import { importCost } from "./import-cost.js";
import { overhead } from "./overhead.js";
import { poolAdmission } from "./pool-admission.js";
import { proxy } from "./proxy.js";
import { trace } from "./trace.js";
import { resultFile, writeResult } from "./write-result.js";

/** Every benchmark, in the order in which `npm run bench` runs them. */
const BENCHMARKS: readonly Benchmark[] = [overhead, graphql, trace, proxy, poolAdmission, importCost, heap];

const USAGE = `usage: npm run bench -- [--short] [name ...]; names: ${BENCHMARKS.map(({ name }) => name).join(", ")}`;

/** Runs the benchmarks named on the command line, or all; the answer is a message for somebody who mistyped. */
async function main(words: readonly string[]): Promise<string | undefined> {
  const short = words.includes("--short");
  const names = words.filter((word) => word !== "--short");
  const unknown = names.find((word) => !BENCHMARKS.some(({ name }) => name === word));
  if (unknown !== undefined) return `There is no benchmark "${unknown}".\n${USAGE}`;
  if (globalThis.gc === undefined) return "The benchmarks need Node's --expose-gc, as npm run bench gives it.";

  for (const benchmark of BENCHMARKS) {
    if (names.length > 0 && !names.includes(benchmark.name)) continue;
    const startedAt = performance.now();
    console.log(`\n${benchmark.question}\n`);
    const { lines, data } = await benchmark.run({ short });
    for (const line of lines) console.log(line);
    for (const line of warningOfLoad()) console.log(line);
    const seconds = (performance.now() - startedAt) / 1000;
    await writeResult(benchmark.name, { short, seconds, data });
    console.log(`\n(${seconds.toFixed(1)} s; all figures in ${resultFile(benchmark.name)})`);
  }
  return undefined;
}

/** Whoever shares the machine makes figures larger, and those of longer calls the more. */
function warningOfLoad(): readonly string[] {
  const [load = 0] = loadavg();
  const cores = availableParallelism();
  return load <= cores
    ? []
    : ["", `The machine was busy: load ${load.toFixed(1)} on ${cores} cores. On an idle one, figures are lower.`];
}

const complaint = await main(process.argv.slice(2));
if (complaint !== undefined) {
  console.error(complaint);
  process.exitCode = 1;
}
