import { Command, Option } from "commander";
import type { CommandContext } from "../context.js";
import { anyNumber, collect, flagsOf, wholeNumber } from "../shared-options.js";

const MANY = 100_000;
const MOST = 1_000_000_000;

/** `squad-rate plan`: does a fleet fit, and how many agents would. */
export function planCommand(context: CommandContext): Command {
  return new Command("plan")
    .description("Say how many agents a token carries, and what so many cost. Nothing is asked of GitHub.")
    .summary("how many agents a token carries")
    .addOption(new Option("--agents <count>", "How many there are to be.").default(10).argParser(wholeNumber(0, MANY)))
    .option("--every <seconds>", "How often each looks at its pull request (30).", anyNumber(0.001, MOST))
    .option("--per-repository <count>", "How many work in one repository (10).", wholeNumber(1, MANY))
    .option("--calls-per-hour <count>", "They make so many calls each, instead of watching.", anyNumber(0, MOST))
    .option("--unchanged <share>", "Of these, reads that find nothing new, 0 to 1.", anyNumber(0, 1))
    .option("--writes <share>", "Of these, writes.", anyNumber(0, 1))
    .option("--queries <share>", "Of these, GraphQL queries.", anyNumber(0, 1))
    .addOption(
      new Option("--polls <by>", "Who asks for those that watch: one for a repository, for all, or each.").choices([
        "repository",
        "together",
        "agent",
      ]),
    )
    .option("--changes <share>", "Of the pull requests, those that change from poll to poll, 0 to 1.", anyNumber(0, 1))
    .option("--changes-per-hour <count>", "Or how many change in an hour, of all.", anyNumber(0, MOST))
    .addOption(
      new Option("--credential <kind>", "Whose quota it is (user).").choices([
        "user",
        "installation",
        "enterprise-app",
        "actions",
        "anonymous",
      ]),
    )
    .option("--repositories <count>", "Of an installation, which has more with many.", wholeNumber(0, MOST))
    .option("--users <count>", "The same for users.", wholeNumber(0, MOST))
    .option(
      "--others <resource=units>",
      "What others spend of it in an hour, as core=300; may be given again.",
      collect,
    )
    .option("--processes <count>", "Over how many processes the agents are spread (1).", wholeNumber(1, 10_000))
    .addOption(new Option("--client <client>", "What they ask with (squadRate).").choices(["squadRate", "plain"]))
    .option("--scenario <file>", "Read all this from a JSON file instead: a PlanScenario, see docs/capacity.md.")
    .option("--json", "Print the plan as JSON.")
    .addHelpText("after", HELP)
    .action(async (options, command: Command) => {
      const { runPlan } = await import("./plan/run-plan.js");
      await runPlan(context, options, flagsOf(command));
    });
}

const HELP = `
Exit code: 0 if the agents fit, 1 if they do not.

Examples:
  squad-rate plan --agents 50
  squad-rate plan --agents 200 --polls together --changes 0.02
  squad-rate plan --agents 40 --calls-per-hour 120 --unchanged 0.5 --writes 0.05
  squad-rate plan --agents 50 --credential installation --repositories 80
  squad-rate plan --scenario team.json --json | jq .carries
`;
