import type { Command, Help } from "commander";
import { EVERYWHERE_GROUP } from "./shared-options.js";

/** Longer lines are hard to follow, however wide the terminal is. */
const WIDEST = 110;

const OWN_GROUP = "Options:";

/** The width of help on a terminal of so many columns. */
export function helpWidth(columns: number): number {
  return Math.min(columns, WIDEST);
}

/** Commander's help, but with commands before options: whoever asks for help of a program wants to know what it does. */
export function formatHelp(command: Command, helper: Help): string {
  const termWidth = helper.padWidth(command, helper);
  const item = (term: string, description: string): string => helper.formatItem(term, termWidth, description, helper);
  const commands = helper.groupItems(
    [...command.commands],
    helper.visibleCommands(command),
    (one) => one.helpGroup() || (command.parent === null ? "More:" : "Commands:"),
  );
  const options = helper.groupItems(
    [...command.options],
    helper.visibleOptions(command),
    (one) => one.helpGroupHeading ?? OWN_GROUP,
  );
  const section = (title: string, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [title, ...items, ""];
  return [
    `Usage: ${helper.commandUsage(command)}`,
    "",
    helper.boxWrap(helper.commandDescription(command), helper.helpWidth ?? 80),
    "",
    ...section(
      "Arguments:",
      helper.visibleArguments(command).map((one) => item(helper.argumentTerm(one), helper.argumentDescription(one))),
    ),
    ...[...commands].flatMap(([title, group]) =>
      section(
        title,
        group.map((one) => item(helper.subcommandTerm(one), helper.subcommandDescription(one))),
      ),
    ),
    ...inOrder([...options]).flatMap(([title, group]) =>
      section(
        title,
        group.map((one) => item(helper.optionTerm(one), helper.optionDescription(one))),
      ),
    ),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
}

/** A command's own options, then settings, then what all commands take. */
function inOrder<T>(groups: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] {
  const place = ([title]: readonly [string, T]): number => {
    if (title === OWN_GROUP) return 0;
    return title === EVERYWHERE_GROUP ? 2 : 1;
  };
  return [...groups].sort((a, b) => place(a) - place(b));
}

/** What stands under the program's own help. */
export const PROGRAM_HELP = `
Settings come from flags, then the environment, then squad-rate.config.json in this
folder or the nearest one above it:
  SQUAD_RATE_STORE, SQUAD_RATE_AGENT, SQUAD_RATE_PRIORITY, SQUAD_RATE_SESSION,
  SQUAD_RATE_TRACE, SQUAD_RATE_POOL, SQUAD_RATE_UPSTREAM, SQUAD_RATE_HOST,
  SQUAD_RATE_ALSO_HOSTS, SQUAD_RATE_MAX_WAIT_MS,
  SQUAD_RATE_CONFIG (the path of the file); NO_COLOR, FORCE_COLOR;
  SQUAD_RATE_DEBUG=1 shows where an error comes from.

Exit codes:
    0  done
    1  done, and what it found is bad news
   64  wrong arguments, environment or configuration
   69  a store, a server or a proxy cannot be reached
   70  a fault of this program
   73  a file cannot be written
   77  nobody was there to be asked, or they said no
  exec ends with the code of its command; 126: it cannot be run, 127: there is none,
  128 + n: signal n ended it.

Examples:
  squad-rate exec --agent data --priority 1 -- gh pr list
  squad-rate status --watch
  squad-rate report trace.jsonl --html report.html
  squad-rate plan --agents 50
  squad-rate simulate -- squad-rate exec -- gh api user

Each command has its own help: squad-rate plan --help. All of it is in docs/cli.md.
`;
