/**
 * A reverse proxy for GitHub's API on this machine, by which programs that know nothing of this package share one quota.
 *
 * @packageDocumentation
 */
export type { SquadOptions } from "../options.js";
export type { SquadStatus } from "../pipeline/status.js";
export { createSquad, type Squad } from "../squad.js";
export {
  INJECTED_TOKEN,
  type ProxyClient,
  type ProxyClientOptions,
  type ProxyClientStatus,
  type ProxyOptions,
} from "./options.js";
export { createProxy } from "./proxy.js";
export type { Proxy, ProxyStatus } from "./surface.js";
