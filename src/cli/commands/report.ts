import { Command } from "commander";
import type { CommandContext } from "../context.js";
import { addSettingOptions, flagsOf } from "../shared-options.js";

/** `squad-rate report`: who spent it, from traces. */
export function reportCommand(context: CommandContext): Command {
  const command = new Command("report")
    .description(
      "Read traces and tell who spent what, what others spent of the same quota, and what need not have been spent.",
    )
    .summary("who spent the quota, from traces")
    .argument("[files...]", "Traces, or folders of them; - is standard input. (default: the trace of the settings)")
    .option("--html <file>", "Write one page with charts, instead of text.")
    .option("--json", "Print the report as JSON.")
    .option("--title <text>", "What stands above it.")
    .option("--since <time>", "Only what began then or later: 2h, 30m, 1d ago, or 2030-01-31T12:00:00Z.")
    .option("--until <time>", "Only what began before.");
  return addSettingOptions(command, ["trace"])
    .addHelpText("after", HELP)
    .action(async (files: readonly string[], options, self: Command) => {
      const { runReport } = await import("./report/run-report.js");
      await runReport(context, files, options, flagsOf(self));
    });
}

const HELP = `
A file is read with those it was rotated to; several are merged by time. Traces of other
programs are read as far as they tell something; docs/report.md says what each figure is.
Exit code: 0, or 1 if nothing could be read.

Examples:
  squad-rate report trace.jsonl
  squad-rate report ~/.squad/traces/*.jsonl --since 2h --html report.html
  zcat old.jsonl.gz | squad-rate report - --json | jq .scorecard
`;
