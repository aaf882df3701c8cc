import { resolve } from "node:path";
import { openProxyFolder } from "../../proxy/control/proxy-folder.js";
import { runtimeRoot } from "../../proxy/control/runtime-root.js";
import { serveFolder } from "../../proxy/control/serve-folder.js";
import { proxyOptionsOf, settledIn } from "../../proxy/control/settings.js";
import { createProxy, type ProxyClient } from "../../proxy/index.js";
import { CommandEnd } from "../command-end.js";
import type { CommandContext } from "../context.js";
import { EXIT } from "../exit-code.js";
import { loadSettings } from "../settings.js";
import type { Flags } from "../shared-options.js";
import { isEnterprise } from "./host.js";
import { injectedToken } from "./injected-token.js";
import { whoAsks } from "./who-asks.js";

export interface ProxyCommandOptions {
  readonly socket?: string;
  readonly port?: number;
  readonly injectToken?: boolean;
}

/** Serves in the foreground until a signal comes. */
export async function runProxy(
  context: CommandContext,
  { socket, port, injectToken }: ProxyCommandOptions,
  flags: Flags,
): Promise<void> {
  const { env, clock, cwd, signal, out, err } = context;
  const given = await loadSettings(context, flags);
  const settings = settledIn(cwd, given);
  const injected = injectedToken(env, injectToken === true, isEnterprise(settings));
  const folder = openProxyFolder(runtimeRoot(env), settings);
  let client: ProxyClient | undefined;
  const serving = await serveFolder({
    folder,
    makeProxy: async () => {
      const proxy = await createProxy({
        ...proxyOptionsOf(settings),
        port,
        onWarning: (message) => err.write(`squad-rate: ${message}\n`),
      });
      try {
        client = await proxy.admit({
          ...whoAsks(given),
          token: injected.kind === "token" ? injected.token : undefined,
          socketPath: socket === undefined ? undefined : resolve(cwd, socket),
        });
        return proxy;
      } catch (error) {
        await proxy.close();
        throw error;
      }
    },
    idleMs: undefined,
    clock,
  });
  if (serving === undefined || client === undefined) {
    throw new CommandEnd(EXIT.unavailable, {
      message: "a proxy with these settings runs already",
      remedy: "use it with squad-rate exec, or end it with squad-rate proxy --stop",
    });
  }
  out.write(exportsOf(client));
  err.write(`squad-rate: serves on port ${serving.proxy.port}, and squad-rate exec; Ctrl-C ends it\n`);
  signal.addEventListener("abort", () => void serving.close(), { once: true });
  if (signal.aborted) await serving.close();
  await serving.ended;
  signal.throwIfAborted();
}

/** For a shell: nothing in them needs quotes but a path. */
function exportsOf({ apiUrl, graphqlUrl, rootedApiUrl, socketPath }: ProxyClient): string {
  const lines = [
    `export GITHUB_API_URL=${apiUrl}`,
    `export GITHUB_GRAPHQL_URL=${graphqlUrl}`,
    `export SQUAD_RATE_API_URL=${apiUrl}`,
    `export SQUAD_RATE_ROOTED_API_URL=${rootedApiUrl}`,
  ];
  if (socketPath !== undefined) lines.push(`export SQUAD_RATE_SOCKET='${socketPath.replaceAll("'", "'\\''")}'`);
  return `${lines.join("\n")}\n`;
}
