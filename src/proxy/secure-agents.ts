import type { AgentOptions, Agent as HttpAgent } from "node:http";
import { Agent } from "node:https";
import { HttpsProxyAgent } from "https-proxy-agent";
import { getProxyForUrl } from "proxy-from-env";
import { isLoopback } from "./destination.js";

/**
 * Connections by TLS. Where the environment names a proxy for the way out (`HTTPS_PROXY`, `ALL_PROXY`, and `NO_PROXY` for what
 * needs none), they go through that, as gh's own would have: the tunnel is opaque to it.
 */
export class SecureAgents {
  readonly #options: AgentOptions;
  readonly #direct: Agent;
  readonly #tunnelled = new Map<string, HttpsProxyAgent<string>>();

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#direct = new Agent(options);
  }

  /** The one for `host`, a name without a port. */
  for(host: string): HttpAgent {
    const way = isLoopback(host) ? "" : getProxyForUrl(`https://${host}`);
    if (way === "") return this.#direct;
    let agent = this.#tunnelled.get(way);
    if (agent === undefined) {
      agent = new HttpsProxyAgent(way, this.#options);
      this.#tunnelled.set(way, agent);
    }
    return agent;
  }

  destroy(): void {
    this.#direct.destroy();
    for (const agent of this.#tunnelled.values()) agent.destroy();
  }
}
