import type { SquadOptions } from "../options.js";
import type { Engine } from "../pipeline/engine.js";
import { createSquad, engineOf, type Squad } from "../squad.js";
import { checkProxyOptions } from "./check-options.js";
import type { ProxyOptions } from "./options.js";
import { RunningProxy } from "./running-proxy.js";
import type { Proxy as SquadProxy } from "./surface.js";

/**
 * Starts a reverse proxy on this machine, through which programs that know nothing of this package share one quota by the
 * rules of a squad: `gh`, curl, PyGithub, any client with a base URL.
 *
 * @throws SquadRateError `SQUAD_RATE_OPTIONS` for a wrong or unknown option, or a port that is taken.
 *
 * @example
 * ```ts
 * await using proxy = await createProxy({ squad: { store: "file:~/.squad/rate-pool" } });
 * const { apiUrl } = await proxy.admit({ agent: "data", priority: 1 });
 * // GITHUB_API_URL=$apiUrl python3 report.py
 * ```
 */
export async function createProxy(options?: ProxyOptions): Promise<SquadProxy> {
  const checked = checkProxyOptions(options);
  const isGiven = engineOf(checked.squad) !== undefined;
  const squad = isGiven ? (checked.squad as Squad) : createSquad(checked.squad as SquadOptions | undefined);
  const proxy = new RunningProxy(checked, squad, engineOf(squad) as Engine, !isGiven);
  try {
    await proxy.listen();
    return proxy;
  } catch (error) {
    await proxy.close();
    throw error;
  }
}
