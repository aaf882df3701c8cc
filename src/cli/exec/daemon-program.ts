import { dirname } from "node:path";
import type { Program } from "../../proxy/control/launch.js";
import { TOKEN_VARIABLES } from "./injected-token.js";

/** What is a matter of one command, and not of a proxy that many share: it is told the rest on its input. */
const OF_ONE_COMMAND = /^(?:SQUAD_RATE|GH|GITHUB)_/;
/** A debugger has one port, and stops who waits for it. */
const DEBUGGER = /^--(?:inspect|debug)/;

/** This very program, as a proxy that outlives us: `squad-rate proxy --daemon`. */
export function daemonProgram(env: Readonly<Record<string, string | undefined>>): Program {
  const main = process.argv[1] ?? "";
  return {
    command: process.execPath,
    args: [...process.execArgv.filter((flag) => !DEBUGGER.test(flag)), main, "proxy", "--daemon"],
    env: Object.fromEntries(
      Object.entries(env).filter(([name]) => !OF_ONE_COMMAND.test(name) && !TOKEN_VARIABLES.includes(name)),
    ),
    // Not the command's own, which would be kept from being removed or unmounted.
    cwd: dirname(main),
  };
}
