import { askForStatus, askToStop, type ControlAnswer } from "../../proxy/control/control-client.js";
import { openProxyFolder, type ProxyFolder } from "../../proxy/control/proxy-folder.js";
import { runtimeRoot } from "../../proxy/control/runtime-root.js";
import { settledIn } from "../../proxy/control/settings.js";
import { CommandEnd } from "../command-end.js";
import type { CommandContext } from "../context.js";
import { EXIT } from "../exit-code.js";
import { loadSettings } from "../settings.js";
import type { Flags } from "../shared-options.js";
import { type ControlStatus, statusText } from "./status-text.js";

export interface AskOptions {
  readonly stop?: boolean;
  readonly json?: boolean;
}

/** Says how the proxy with these settings is, or ends it. */
export async function askProxy(context: CommandContext, { stop, json }: AskOptions, flags: Flags): Promise<void> {
  const { env, clock, cwd, out } = context;
  const folder = openProxyFolder(runtimeRoot(env), settledIn(cwd, await loadSettings(context, flags)));
  const status = answered(await askForStatus(folder.controlSocket, clock), folder) as ControlStatus;
  if (stop === true) {
    answered(await askToStop(folder.controlSocket, clock), folder);
    const others = status.clients === 0 ? "" : `; ${status.clients} under squad-rate exec start another`;
    out.write(`The proxy ${status.pid} has ended${others}.\n`);
    return;
  }
  out.write(json === true ? `${JSON.stringify(status, undefined, 2)}\n` : statusText(status, clock.now()));
}

function answered(answer: ControlAnswer<unknown>, { controlSocket }: ProxyFolder): unknown {
  switch (answer.kind) {
    case "done":
      return answer.value;
    case "nobody":
      throw new CommandEnd(EXIT.unavailable, {
        message: "no proxy with these settings runs",
        remedy: "squad-rate exec starts one; give --upstream, --store and so on as it was given them",
      });
    case "silent":
      throw new CommandEnd(EXIT.unavailable, {
        message: "the proxy does not answer",
        remedy: `end the process that holds ${controlSocket}`,
      });
    case "refused":
      throw new CommandEnd(EXIT.unavailable, answer);
  }
}
