import { Command } from "commander";
import type { CommandContext } from "../context.js";
import { addSettingOptions, flagsOf } from "../shared-options.js";

/** `squad-rate cooldown`: the time for which everybody holds back after a secondary refusal. */
export function cooldownCommand(context: CommandContext): Command {
  return new Command("cooldown")
    .description("See to the cooldown after a secondary refusal.")
    .summary("end a cooldown after a secondary refusal")
    .addCommand(clearCommand(context));
}

function clearCommand(context: CommandContext): Command {
  const command = new Command("clear")
    .description(
      "End the cooldown: everybody sends again within five seconds, in order. GitHub asked for it, and punishes who goes on.",
    )
    .summary("end it")
    .option("-y, --yes", "Do not ask.");
  return addSettingOptions(command, ["store", "pool", "host"])
    .addHelpText("after", HELP)
    .action(async (options, self: Command) => {
      const { runClearCooldown } = await import("./cooldown/run-clear.js");
      await runClearCooldown(context, options, flagsOf(self));
    });
}

const HELP = `
Only the refusal that is shown is ended, never one that comes meanwhile.
Exit code: 0, also if there is no cooldown; 1 if a newer refusal has come, or there is no pool
of that name; 69 if the store does not answer, 77 if nobody confirms it.

Examples:
  squad-rate cooldown clear
  squad-rate cooldown clear --pool team --yes
`;
