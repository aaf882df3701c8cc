import { Command, Option } from "commander";
import type { CommandContext } from "../context.js";
import { collect, flagsOf, wholeNumber } from "../shared-options.js";
import { simulateFleetCommand } from "./simulate-fleet.js";

const MANY = 10_000;

/** `squad-rate simulate`: a GitHub of one's own. */
export function simulateCommand(context: CommandContext): Command {
  return (
    new Command("simulate")
      .description(
        "Start a GitHub on this machine, with repositories, quota and limits, and without consequences. It ends with Ctrl-C, or with the command that is given.",
      )
      .summary("a GitHub on this machine, to try things on")
      .usage("[options] [-- CMD...]")
      .argument("[cmd...]", "Runs this with the address and a token in its environment.")
      .option("--port <port>", "Where it listens, on 127.0.0.1. (default: any free port)", wholeNumber(0, 65_535))
      .option("--socket <path>", "A Unix socket instead, as gh's http_unix_socket.")
      .option("--owner <name>", "Whose repositories they are.", "acme")
      .option("--repos <count>", "How many, called app-1, app-2, …", wholeNumber(0, MANY), 1)
      .option("--pulls <count>", "Open pull requests in each.", wholeNumber(0, MANY), 25)
      .option("--issues <count>", "Open issues in each.", wholeNumber(0, MANY), 30)
      .option("--token <token>", "A token that it knows. (default: a made-up one)")
      .option("--user <login>", "Whose token it is.", "mona")
      .option(
        "--limit <resource=units>",
        "Its quota in an hour, as core=100; core=100/60 in 60 seconds; may be given again.",
        collect,
      )
      .option("--no-limits", "It refuses nothing.")
      .option(
        "--latency-ms <ms>",
        "How long its answers take, about; GraphQL 6.5 times. (default: 0)",
        wholeNumber(0, 60_000),
      )
      .addOption(
        new Option("--seed <number>", "Other contents, other chance.").default(1).argParser(wholeNumber(0, 2 ** 31)),
      )
      .option("--control", "Offer its control API under /__sim/ to whoever reaches it.")
      // What stands after the command are the command's own options.
      .passThroughOptions()
      .addHelpText("after", HELP)
      .action(async (words: readonly string[], options, self: Command) => {
        const { runSimulation } = await import("./simulate/run-simulation.js");
        await runSimulation(context, words, options, flagsOf(self));
      })
      .addCommand(simulateFleetCommand(context))
  );
}

const HELP = `
A command finds GITHUB_TOKEN, GH_TOKEN and SQUAD_RATE_UPSTREAM set, and but for a socket
GITHUB_API_URL and GITHUB_GRAPHQL_URL. At the end you are told what was asked, and what that
cost. Exit code: the command's own; 126 if it cannot be run, 127 if there is none of that
name; 69 if it cannot listen there.

Examples:
  squad-rate simulate --port 8080
  squad-rate simulate -- sh -c 'curl -s -H "authorization: token $GITHUB_TOKEN" $GITHUB_API_URL/user'
  squad-rate simulate --limit core=100/60 -- squad-rate exec -- gh api user
  squad-rate simulate fleet --sessions 50 --minutes 30
`;
