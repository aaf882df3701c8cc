import { Command, Option } from "commander";
import type { CommandContext } from "../context.js";
import { addSettingOptions, flagsOf, PROXY_SETTINGS, wholeNumber } from "../shared-options.js";

/** `squad-rate proxy`: the proxy of this machine, in the foreground; or how it is, or its end. */
export function proxyCommand(context: CommandContext): Command {
  const command = new Command("proxy")
    .description(
      "Serve a proxy for your user in the foreground, for exec and for clients with a base URL. exec starts one by itself.",
    )
    .summary("serve the proxy that exec uses, or say how it is")
    .option("--socket <path>", "A Unix socket for the default client, in a folder of your own.")
    .addOption(
      new Option("--port <port>", "The port on 127.0.0.1 for base URLs (any free one).").argParser(
        wholeNumber(0, 65_535),
      ),
    )
    .option("--inject-token", "The default client needs no token: yours is added, of GH_TOKEN or GITHUB_TOKEN.")
    .addOption(new Option("--status", "Say how the proxy with these settings is.").conflicts("stop"))
    .option("--stop", "End the proxy with these settings.")
    .option("--json", "With --status: print it as JSON.")
    .addOption(new Option("--daemon", "Serve what is told on the standard input.").hideHelp());
  return addSettingOptions(command, PROXY_SETTINGS)
    .addHelpText("after", HELP)
    .action(async (options, own: Command) => {
      if (options.daemon === true) {
        const { runDaemon } = await import("../exec/run-daemon.js");
        return runDaemon(context);
      }
      if (options.status === true || options.stop === true) {
        const { askProxy } = await import("../exec/ask-proxy.js");
        return askProxy(context, options, flagsOf(own));
      }
      const { runProxy } = await import("../exec/run-proxy.js");
      return runProxy(context, options, flagsOf(own));
    });
}

const HELP = `
What it prints on the standard output is for a shell to take over: the addresses of a default
client, whose calls are booked to --agent. They hold a secret: whoever has it can use the proxy.

Exit code: 64 for wrong settings, 69 if a proxy with these settings runs already, or with
--status and --stop, if none does.

Examples:
  squad-rate proxy --agent data
  squad-rate proxy --agent data --port 8787 --socket ~/.squad/github.sock
  squad-rate proxy --status
  squad-rate proxy --stop
`;
