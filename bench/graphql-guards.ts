// What it costs to know about many pull requests of which few change: `npm run bench:guards`. Plain Octokit with guards
// written by hand and squadRate in three ways meet the same needs before simulated GitHubs of the same seed, on virtual time,
// so the figures are the same on every machine. Options: --quick (less of everything), --at-once 2 (processes).
import type { Job } from "./guards/job.js";

/** Each run is a process of its own, which is this program with `--job`. */
const job = option("job");
if (job === undefined) await main();
else {
  const { doJob } = await import("./guards/job.js");
  const figures = await doJob(JSON.parse(job) as Job);
  if (process.send === undefined) console.log(figures);
  process.send?.(figures, () => process.exit());
}

async function main(): Promise<void> {
  const { compare } = await import("./guards/compare.js");
  await compare({ quick: process.argv.includes("--quick"), atOnce: Number(option("at-once") ?? 2) });
}

function option(name: string): string | undefined {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? undefined : process.argv[index + 1];
}
