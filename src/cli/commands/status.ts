import { Command, Option } from "commander";
import type { CommandContext } from "../context.js";
import { addSettingOptions, anyNumber, flagsOf } from "../shared-options.js";

/** `squad-rate status`: how the pools of a store stand, and the proxies of this user. */
export function statusCommand(context: CommandContext): Command {
  const command = new Command("status")
    .description(
      "Show how much quota is left and until when, who holds it, who waits and for what. Looks from outside: takes no part, asks GitHub nothing, and changes nothing.",
    )
    .summary("what is left, who holds it, who waits")
    .addOption(
      new Option("--watch [seconds]", "Look again and again (every 2 s); Ctrl-C ends it.").argParser(
        anyNumber(0.1, 86_400),
      ),
    )
    .option("--all", "All pools, agents and leases.")
    .option("--json", "Print it as JSON; with --watch one line each time.");
  return addSettingOptions(command, ["store", "pool", "host"])
    .addHelpText("after", HELP)
    .action(async (options, self: Command) => {
      const { runStatus } = await import("./status/run-status.js");
      await runStatus(context, options, flagsOf(self));
    });
}

const HELP = `
Shown is the pool of --pool, by its name or the beginning of its id; else that of GH_TOKEN or
GITHUB_TOKEN; else all. Times of day are this machine's. docs/pool.md says what the columns are.
Exit code: 0, or 69 if there is nothing to look at, or the store does not answer.

Examples:
  squad-rate status
  squad-rate status --watch
  squad-rate status --store redis://127.0.0.1 --all
  squad-rate status --json | jq '.pools[].quotas[] | {resource, remainingUnits}'
`;
