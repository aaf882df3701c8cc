import type { FleetClientFactory } from "../../src/sim/fleet/client.js";
import { createSquadClient } from "../../src/sim/fleet/squad-client.js";
import type { SquadSettings } from "./clients/squad-octokit.js";

/** Who is compared: by the letter that options and tables use, and what it is. */
export const CLIENT_LABELS = {
  a: "plain Octokit",
  b: "throttling + retry",
  c: "guards by hand",
  d: "static pool",
  e: "squadRate",
  e1: "squadRate, guards per session",
  e2: "squadRate, guards per repository",
} as const;

export type ClientName = keyof typeof CLIENT_LABELS;
export const CLIENTS = Object.keys(CLIENT_LABELS) as readonly ClientName[];

/**
 * Makes clients of that name. What it needs is loaded here, so that it finds whatever timers are installed by now; `settings`
 * are for squads.
 */
export async function clientFactory(name: ClientName, settings: SquadSettings): Promise<FleetClientFactory> {
  switch (name) {
    case "a":
      return (await import("./clients/plain.js")).plain;
    case "b":
      return (await import("./clients/throttled.js")).throttled;
    case "c": {
      const { HandWritten } = await import("./clients/hand-written.js");
      return (seat) => new HandWritten(seat);
    }
    case "d": {
      const { StaticPoolClient } = await import("./clients/static-pool/static-pool-client.js");
      return (seat) => new StaticPoolClient(seat);
    }
    case "e": {
      const { SquadPoller } = await import("./clients/squad-poller.js");
      return (seat) => new SquadPoller(seat, settings);
    }
    case "e1":
    case "e2":
      return createSquadClient({ pollBy: name === "e1" ? "session" : "repository", squad: settings });
  }
}
