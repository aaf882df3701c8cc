import { Command } from "commander";
import type { CommandContext } from "../context.js";
import { addSettingOptions, flagsOf } from "../shared-options.js";

/** `squad-rate doctor`: what is in order here, what is not, and what to do about it. */
export function doctorCommand(context: CommandContext): Command {
  const command = new Command("doctor")
    .description(
      "Look whether everything is in order: Node, settings, store, token, clock, gh, proxies and trace. Changes nothing, and costs no quota.",
    )
    .summary("whether everything is in order, and what to do")
    .option("--json", "Print it as JSON.");
  return addSettingOptions(command, ["store", "upstream", "host", "trace"])
    .addHelpText("after", HELP)
    .action(async (options, self: Command) => {
      const { runDoctor } = await import("./doctor/run-doctor.js");
      await runDoctor(context, options, flagsOf(self));
    });
}

const HELP = `
The token is that of GH_TOKEN or GITHUB_TOKEN, and never shown. GitHub is asked for
/rate_limit, which is free.
Exit code: 0, or 1 if something is wrong.

Examples:
  squad-rate doctor
  squad-rate doctor --json | jq '.checks[] | select(.state != "ok")'
`;
