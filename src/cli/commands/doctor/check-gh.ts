import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../config.js";
import type { CommandContext } from "../../context.js";
import { withSocket } from "../../exec/gh-config.js";
import { hostOf } from "../../exec/host.js";
import { TOKEN_VARIABLES } from "../../exec/injected-token.js";
import { userGhFolder } from "../../exec/overlay.js";
import type { Check, Finding } from "./check.js";

const TIMEOUT_MS = 4_000;

/** Whether gh is there, can be led through a proxy, and has a token. */
export function ghCheck(env: CommandContext["env"], settings: Pick<Settings, "host" | "upstream">): Check {
  return {
    name: "gh",
    look: async () => {
      const told = await ask(env, ["--version"]);
      const version = /gh version (\S+)/.exec(told ?? "")?.[1];
      if (version === undefined) {
        return {
          state: "warn",
          found: "not found",
          remedy: "install it (https://cli.github.com), if your agents use it",
        };
      }
      const help = await ask(env, ["config", "--help"]);
      if (!/http_unix_socket/.test(help ?? "")) {
        return {
          state: "bad",
          found: `${version}, which cannot send through a socket`,
          remedy: "install a newer one, for squad-rate exec",
        };
      }
      return lookAtFolder(version, env, hostOf(settings));
    },
  };
}

function lookAtFolder(version: string, env: CommandContext["env"], host: string): Finding {
  const folder = userGhFolder(env);
  let socket: string | undefined;
  try {
    socket = withSocket(folder === undefined ? undefined : textOf(join(folder, "config.yml")), "").replaced;
  } catch (error) {
    const { message, remedy } = error as { readonly message: string; readonly remedy?: string };
    return { state: "bad", found: `${version}; ${message}`, remedy };
  }
  const login = loginOf(env, folder, host);
  if (login === undefined) {
    return {
      state: "warn",
      found: `${version}, without a token for ${host}`,
      remedy: "gh auth login, or set GH_TOKEN",
    };
  }
  if (socket !== undefined) {
    return {
      state: "warn",
      found: `${version}, ${login}; its http_unix_socket is ${socket}`,
      remedy: "squad-rate exec takes its own instead; nothing else of gh's goes through a squad",
    };
  }
  return { state: "ok", found: `${version}, ${login}` };
}

function loginOf(env: CommandContext["env"], folder: string | undefined, host: string): string | undefined {
  const variable = TOKEN_VARIABLES.find((name) => env[name]);
  if (variable !== undefined) return `with the token of ${variable}`;
  const hosts = folder === undefined ? undefined : textOf(join(folder, "hosts.yml"));
  const isThere = hosts?.split(/\r?\n/).some((line) => line.replace(/["']/g, "").trimEnd() === `${host}:`);
  return isThere === true ? `logged in to ${host}` : undefined;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** What gh prints; undefined where it cannot be run. */
function ask(env: CommandContext["env"], words: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env: { ...env, GH_NO_UPDATE_NOTIFIER: "1" }, timeout: TIMEOUT_MS };
    execFile("gh", [...words], options, (error, stdout) => resolve(error === null ? stdout : undefined));
  });
}
