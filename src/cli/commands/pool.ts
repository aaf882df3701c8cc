import { Command } from "commander";
import type { CommandContext } from "../context.js";
import { addSettingOptions, flagsOf } from "../shared-options.js";

/** `squad-rate pool`: what an operator can do to a pool. */
export function poolCommand(context: CommandContext): Command {
  return new Command("pool")
    .description("Mend a pool from outside.")
    .summary("take a dead agent out of a pool")
    .addCommand(evictCommand(context));
}

function evictCommand(context: CommandContext): Command {
  const command = new Command("evict")
    .description(
      "Take an agent that you know to be dead off the list, and end the leases of its process. Its units come back when they can certainly not be spent any more; one that lives after all comes back with its next call.",
    )
    .summary("take a dead agent out of a pool")
    .argument(
      "<agent>",
      "Its name, or ~ and the beginning of its process, as status shows it: then everything of that process.",
    )
    .option("--machine <name>", "Only on this machine.")
    .option("--resource <name>", "Only the leases of this resource; the agent stays listed.")
    .option("-y, --yes", "Do not ask.")
    .option("--json", "Print what was done as JSON.");
  return addSettingOptions(command, ["store", "pool", "host"])
    .addHelpText("after", EVICT_HELP)
    .action(async (who: string, options, self: Command) => {
      const { runEvict } = await import("./pool/run-evict.js");
      await runEvict(context, { ...options, who }, flagsOf(self));
    });
}

const EVICT_HELP = `
A lease belongs to a process, which may serve several agents: it is ended when no other agent
of its process is listed. Done twice it does no harm.
Exit code: 0, 1 if there is no such agent or pool, 69 if the store does not answer, 77 if nobody
confirms it.

Examples:
  squad-rate pool evict ralph
  squad-rate pool evict ralph --machine build-3 --yes
  squad-rate pool evict ~5f0c31
`;
