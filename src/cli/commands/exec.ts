import { Command, Option } from "commander";
import type { CommandContext } from "../context.js";
import { addSettingOptions, flagsOf, PROXY_SETTINGS, wholeNumber } from "../shared-options.js";

/** `squad-rate exec`: a command, and all it runs, through the proxy of this machine. */
export function execCommand(context: CommandContext): Command {
  const command = new Command("exec")
    .description(
      "Run a command so that every gh beneath it, and every client that reads GITHUB_API_URL, shares one quota with all " +
        "others. A proxy for your user is started if none runs.",
    )
    .summary("run a command whose calls to GitHub are shared, cached and booked")
    .argument("<command...>", "The command and its arguments, best after --.")
    .passThroughOptions()
    .option("--inject-token", "The command sees no token: the proxy adds yours, of GH_TOKEN or GITHUB_TOKEN.")
    .addOption(
      new Option("--idle-minutes <minutes>", "How long a proxy that this starts stays without clients.")
        .default(10)
        .argParser(wholeNumber(1, 10_080)),
    );
  return addSettingOptions(command, PROXY_SETTINGS)
    .addHelpText("after", HELP)
    .action(async (words: string[], options, own: Command) => {
      const { runExec } = await import("../exec/run-exec.js");
      await runExec(context, words, options, flagsOf(own));
    });
}

const HELP = `
Exit code: the command's own; 128 + n if signal n ended it, 126 if it cannot be run, 127 if
there is none of that name, 64 for wrong settings, 69 if the proxy cannot be started.

The command finds in its environment:
  GH_CONFIG_DIR              for gh: your configuration, with a socket of its own in it
  GITHUB_API_URL             the REST API, for clients that read it; GITHUB_GRAPHQL_URL for GraphQL
  SQUAD_RATE_SOCKET          for curl: curl --unix-socket "$SQUAD_RATE_SOCKET" http://api.github.com/user
  SQUAD_RATE_ROOTED_API_URL  for PyGithub: Github(base_url=…)

Examples:
  squad-rate exec --agent data -- gh pr list
  squad-rate exec --agent data --priority 2 --session ta-51 -- ./nightly.sh
  GH_TOKEN=$(gh auth token) squad-rate exec --agent ralph --inject-token -- ./agent.sh
  squad-rate exec --agent test --upstream http://127.0.0.1:8080 -- gh api user
`;
