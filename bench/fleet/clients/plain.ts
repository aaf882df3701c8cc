import { Octokit } from "@octokit/core";
import type { FleetClient, FleetSeat } from "../../../src/sim/fleet/client.js";
import { octokitOptions } from "./octokit-options.js";
import { makeCall, readAll } from "./reads.js";
import { sessionOf } from "./sessions.js";
import { timedBy } from "./timed.js";

/** Octokit as it comes: each session asks for everything at every poll. */
export function plain(seat: FleetSeat): FleetClient {
  const octokit = new Octokit(octokitOptions(seat));
  const polling = timedBy(seat, octokit);
  return {
    poll: async (group) => {
      const needs = group.map(async (agent) => [agent, await readAll(polling, sessionOf(agent))] as const);
      return new Map(await Promise.all(needs));
    },
    call: (call) => makeCall(octokit, call),
    close: async () => {},
  };
}
