// Who recovers how from refusals and resets: `npm run bench:recovery`, or `npx tsx bench/recovery.ts`. Plain Octokit, Octokit
// with the plugins for throttling and retries, and squadRate meet the same calls at the same moments before simulated
// GitHubs of the same seed, on virtual time, so the figures are the same on every machine. Options: --quick (one seed, and
// less of everything), --seeds 3, --only crowd (or another scenario).
import type { Job } from "./recovery/job.js";

/** Each run is a process of its own, which is this program with `--job`; only there time is virtual. */
const job = option("job");
if (job === undefined) await main();
else {
  const { doJob } = await import("./recovery/job.js");
  const figures = await doJob(JSON.parse(job) as Job);
  process.send?.(figures, () => process.exit());
}

async function main(): Promise<void> {
  const { compare } = await import("./recovery/compare.js");
  const { SCENARIOS } = await import("./recovery/scenarios.js");
  const quick = process.argv.includes("--quick");
  const only = option("only");
  const scenarios = SCENARIOS.filter((name) => only === undefined || name === only);
  if (scenarios.length === 0) throw new Error(`There is no scenario "${only}"; there are ${SCENARIOS.join(", ")}.`);
  await compare({ quick, seeds: Number(option("seeds") ?? (quick ? 1 : 2)), scenarios });
}

function option(name: string): string | undefined {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? undefined : process.argv[index + 1];
}
