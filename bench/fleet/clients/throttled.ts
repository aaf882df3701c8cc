import { Octokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import type { FleetAgent, FleetClient, FleetSeat } from "../../../src/sim/fleet/client.js";
import { octokitOptions } from "./octokit-options.js";
import { makeCall, readAll } from "./reads.js";
import type { Requester } from "./requester.js";
import { sessionOf } from "./sessions.js";
import { timedBy } from "./timed.js";

// In the order in which the package `octokit` has them.
const Throttled = Octokit.plugin(retry, throttling);

/** What plugin-throttling asks with whether to try again. */
type Told = readonly [retryAfter: number, options: object, octokit: object, retryCount: number];

/**
 * Octokit with its official plugins, set as their README says: what was refused for lack of quota is tried again, twice
 * here, and what a secondary limit refused is not. A session that polls is a process of its own, and so are its limiters;
 * agents that only call share those of their process.
 */
export function throttled(seat: FleetSeat): FleetClient {
  const octokits = new Map<string, Requester>();
  const octokitOf = (agent: FleetAgent): Requester => {
    const id = agent.session === undefined ? `process-${seat.process}` : agent.name;
    const octokit =
      octokits.get(id) ??
      new Throttled({
        ...octokitOptions(seat),
        throttle: {
          id,
          onRateLimit: (...[, , , retryCount]: Told) => retryCount < 2,
          onSecondaryRateLimit: () => false,
        },
      });
    octokits.set(id, octokit);
    return octokit;
  };
  return {
    poll: async (group) => {
      const needs = group.map(async (agent) => {
        const polling = timedBy(seat, octokitOf(agent));
        return [agent, await readAll(polling, sessionOf(agent))] as const;
      });
      return new Map(await Promise.all(needs));
    },
    call: (call) => makeCall(octokitOf(call.agent), call),
    close: async () => {},
  };
}
