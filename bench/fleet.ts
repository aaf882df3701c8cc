// What fleets of agents on one GitHub credential cost and how they fare, by client: `npm run bench:fleet`, `-- --help` for its
// options. All meet the same needs before simulated GitHubs of the same seed, on virtual time, so the figures are the same on
// every machine; docs/benchmarks.md says what they mean.
import type { Job } from "./fleet/job.js";

/** Each run is a process of its own, which is this program with `--job`; only there time is virtual. */
const [first, job] = process.argv.slice(2);
if (first !== "--job" || job === undefined) await main(process.argv.slice(2));
else {
  const { doJob } = await import("./fleet/job.js");
  const result = await doJob(JSON.parse(job) as Job);
  if (process.send === undefined) console.log(JSON.stringify(result));
  process.send?.(result, () => process.exit());
}

async function main(words: readonly string[]): Promise<void> {
  const { HELP, readArguments } = await import("./fleet/arguments.js");
  const asked = readArguments(words);
  if (asked.kind === "help") console.log(HELP);
  else if (asked.kind === "wrong") {
    console.error(`${asked.why}\n\n${HELP}`);
    process.exitCode = 1;
  } else {
    const { compare } = await import("./fleet/compare.js");
    await compare(asked.extent);
  }
}
