import { askToStop } from "../../../proxy/control/control-client.js";
import { proxyFolderAt } from "../../../proxy/control/proxy-folder.js";
import type { CommandContext } from "../../context.js";
import { seeProxies } from "../status/proxies.js";

/**
 * Ends the proxies of this user that ask the GitHub at `upstream`, which is about to end: they would wait for ten minutes for
 * somebody whom they could lead nowhere. Never rejects.
 */
export async function endProxies(
  upstream: string,
  { env, clock }: Pick<CommandContext, "env" | "clock">,
): Promise<void> {
  const { running } = await seeProxies(env, clock);
  const theirs = running.filter((proxy) => proxy.upstream === upstream);
  await Promise.all(theirs.map(({ folder }) => askToStop(proxyFolderAt(folder).controlSocket, clock)));
}
