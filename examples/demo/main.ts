/**
 * `npm run demo`: seven agents of one squad share a simulated GitHub's small quota, beside the same agents with plain
 * Octokit; `npm run demo -- --repo owner/name` lets them read the real GitHub. `-- --help` says more.
 */
import { HELP, readArguments } from "./arguments.js";
import { playReal } from "./play-real.js";
import { playSimulated } from "./play-simulated.js";

// Whoever reads may leave early, as `head` does.
process.stdout.on("error", () => process.exit());

const plan = readArguments(process.argv.slice(2), process.env);
switch (plan.kind) {
  case "help":
    console.log(HELP);
    break;
  case "wrong":
    console.error(plan.message);
    process.exitCode = 2;
    break;
  case "simulated":
    await playSimulated(plan);
    break;
  case "real":
    await playReal(plan);
    break;
}
