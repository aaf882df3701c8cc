import { Command } from "commander";
import type { CommandContext } from "../context.js";
import { addSettingOptions, flagsOf } from "../shared-options.js";

/** `squad-rate cache`: the answers that lie in the store. */
export function cacheCommand(context: CommandContext): Command {
  return new Command("cache")
    .description("See to the answers that are kept in the store.")
    .summary("delete the answers that are kept in the store")
    .addCommand(clearCommand(context));
}

function clearCommand(context: CommandContext): Command {
  const command = new Command("clear")
    .description(
      "Delete all answers that are kept in the store, of all pools. Quota, agents and cooldowns stay. Processes that run keep what they have in memory, of which GitHub confirms each answer before it is used.",
    )
    .summary("delete them")
    .option("-y, --yes", "Do not ask.");
  return addSettingOptions(command, ["store"])
    .addHelpText("after", HELP)
    .action(async (options, self: Command) => {
      const { runClearCache } = await import("./cache/run-clear.js");
      await runClearCache(context, options, flagsOf(self));
    });
}

const HELP = `
Exit code: 0, 69 if the store does not answer, 77 if nobody confirms it.

Examples:
  squad-rate cache clear
  squad-rate cache clear --store redis://127.0.0.1 --yes
`;
