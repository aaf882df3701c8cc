import { Command, Option } from "commander";
import type { CommandContext } from "../context.js";
import { anyNumber, flagsOf, wholeNumber } from "../shared-options.js";

/** `squad-rate simulate fleet`: a whole fleet on virtual time. */
export function simulateFleetCommand(context: CommandContext): Command {
  return new Command("fleet")
    .description(
      "Run a fleet of agents, each of which watches a pull request, against a simulated GitHub on virtual time: an hour takes seconds. The same flags always give the same figures.",
    )
    .summary("a fleet of agents on virtual time, and what it costs")
    .option("--sessions <count>", "How many agents watch, from 1 to 500.", wholeNumber(1, 500), 50)
    .option("--minutes <count>", "How long it is measured, after ten minutes of warming up.", wholeNumber(1, 1_440), 30)
    .addOption(
      new Option(
        "--client <client>",
        "What they ask with: squad asks once for a repository, squad-each for each agent.",
      )
        .choices(["squad", "squad-each", "plain"])
        .default("squad"),
    )
    .addOption(
      new Option("--workload <kind>", "Whether anything changes: a reactive fleet looks after each change.")
        .choices(["quiet", "measured", "reactive"])
        .default("quiet"),
    )
    .option(
      "--changes <share>",
      "Of a reactive fleet's pull requests, those that change per poll.",
      anyNumber(0, 1),
      0.02,
    )
    .option("--processes <count>", "Over how many processes they are spread.", wholeNumber(1, 100), 1)
    .option("--seed <number>", "Other chance.", wholeNumber(0, 2 ** 31), 1)
    .option("--json", "Print the report as JSON.")
    .addHelpText("after", HELP)
    .action(async (options, self: Command) => {
      const { runSimulatedFleet } = await import("./simulate/run-fleet.js");
      await runSimulatedFleet(context, options, flagsOf(self));
    });
}

const HELP = `
squad-rate plan says about the same without running anything.

Examples:
  squad-rate simulate fleet --sessions 50
  squad-rate simulate fleet --sessions 50 --client plain
  squad-rate simulate fleet --sessions 100 --workload reactive --minutes 60 --json
`;
