import { Command } from "commander";
import { VERSION } from "../version.js";
import { cacheCommand } from "./commands/cache.js";
import { cooldownCommand } from "./commands/cooldown.js";
import { doctorCommand } from "./commands/doctor.js";
import { execCommand } from "./commands/exec.js";
import { helpCommand } from "./commands/help.js";
import { planCommand } from "./commands/plan.js";
import { poolCommand } from "./commands/pool.js";
import { proxyCommand } from "./commands/proxy.js";
import { reportCommand } from "./commands/report.js";
import { simulateCommand } from "./commands/simulate.js";
import { statusCommand } from "./commands/status.js";
import type { CommandContext } from "./context.js";
import { formatHelp, helpWidth, PROGRAM_HELP } from "./help.js";
import { addEverywhereOptions } from "./shared-options.js";

/** The whole command line. Each action loads what it needs when it runs, so that `exec` begins at once. */
export function createProgram(context: CommandContext): Command {
  const program = new Command("squad-rate")
    .description("One GitHub credential, many agents: who spends its quota, how much is left, and how far it reaches.")
    .version(VERSION, "-V, --version", "Print the version.")
    .helpOption("-h, --help", "Print this help.")
    .helpCommand(false)
    .exitOverride()
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => context.out.write(text),
      writeErr: (text) => context.err.write(text),
      // The one line on an error is written where every other error's is.
      outputError: () => {},
      getOutHelpWidth: () => helpWidth(context.out.columns),
      getErrHelpWidth: () => helpWidth(context.err.columns),
      // Our help has no colours that would have to be taken out.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
    })
    .configureHelp({ formatHelp, subcommandTerm: (command) => command.name(), minWidthToWrap: 20 })
    .addHelpText("after", PROGRAM_HELP);

  addEverywhereOptions(program);
  program.commandsGroup("Run commands through one squad:");
  program.addCommand(execCommand(context));
  program.addCommand(proxyCommand(context));
  program.addCommand(simulateCommand(context));
  program.commandsGroup("See who spends what:");
  program.addCommand(statusCommand(context));
  program.addCommand(reportCommand(context));
  program.addCommand(planCommand(context));
  program.commandsGroup("For operators:");
  program.addCommand(doctorCommand(context));
  program.addCommand(poolCommand(context));
  program.addCommand(cooldownCommand(context));
  program.addCommand(cacheCommand(context));
  program.commandsGroup("More:");
  program.addCommand(helpCommand(program));
  inherit(program);
  return program;
}

/** What prints the help for a line of words that was wrong. */
export function helpCommandFor(program: Command, words: readonly string[]): string {
  let command = program;
  const names = [program.name()];
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined) break;
    names.push(next.name());
    command = next;
  }
  return `${names.join(" ")} --help`;
}

/** Commands are made apart from the program, so they get its ways here. */
function inherit(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent).helpOption("-h, --help", "Print this help.").helpCommand(false);
    addEverywhereOptions(command);
    inherit(command);
  }
}
