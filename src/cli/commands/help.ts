import { Command } from "commander";
import { CommandEnd } from "../command-end.js";
import { EXIT } from "../exit-code.js";

/** `squad-rate help simulate fleet`: the same as `squad-rate simulate fleet --help`. */
export function helpCommand(program: Command): Command {
  return new Command("help")
    .description("Print the help of a command.")
    .argument("[command...]", "Which one; of its own commands too.")
    .addHelpText("after", HELP)
    .action((names: readonly string[]) => {
      let command = program;
      let path = program.name();
      for (const name of names) {
        const next = command.commands.find((one) => one.name() === name);
        if (next === undefined) {
          throw new CommandEnd(EXIT.usage, {
            message: `unknown command '${name}'`,
            remedy: `${path} --help says what there is`,
          });
        }
        command = next;
        path += ` ${name}`;
      }
      command.outputHelp();
    });
}

const HELP = `
The same as --help behind the command. Exit code: 0, or 64 if there is no such command.

Examples:
  squad-rate help
  squad-rate help simulate fleet
`;
